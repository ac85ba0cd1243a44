/** A set of listeners by name: what `on` of the shell's modules rests on. */
export function signals() {
  const listeners = new Map();
  return {
    /** Calls back at each `emit` of the name; answers with what ends that. */
    on(name, callback) {
      if (!listeners.has(name)) listeners.set(name, new Set());
      listeners.get(name).add(callback);
      return () => listeners.get(name).delete(callback);
    },
    /** One listener that fails keeps none of the others from being called. */
    emit(name, value) {
      for (const callback of [...(listeners.get(name) ?? [])]) {
        try {
          callback(value);
        } catch (error) {
          reportError(error);
        }
      }
    },
  };
}
