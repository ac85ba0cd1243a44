/** Large files on their way to the server. */

import { get, address, Problem } from "../shell/api.js";

/**
 * Sends a file to be imported; `progress(part)` is told how much is there, from 0 to 1. Answers with the job. Unlike
 * `fetch`, this says how far it is, and takes as long as it takes.
 */
export async function upload(file, query, { progress, signal }) {
  // A session that is due is renewed before, not after all of the file was sent in vain.
  await get("/v1/me");
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address("/v1/admin/imports", { ...query, fileName: file.name }));
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) => progress(total ? loaded / total : 1));
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status === 202) resolve(answer);
      else reject(problemOf(request.status, answer));
    });
    request.addEventListener("error", () => reject(new Problem({ slug: "offline" })));
    request.addEventListener("abort", () => reject(signal.reason));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const problemOf = (status, value) => new Problem({ status, slug: String(value?.type ?? "").split("/").pop(),
  title: String(value?.title ?? ""), detail: String(value?.detail ?? ""), errors: value?.errors ?? [] });
