/// The page at `/`: signing in and up, pins around a point, dropping and deleting them, friends and requests.
enum PinsPage {
    static let markup = #"""
        <a class="skip" href="#main">Skip to the content</a>
        <noscript><p class="notice">This page needs JavaScript. The API behind it is described at
          <a href="/openapi.json">/openapi.json</a>.</p></noscript>

        <header class="bar" id="bar" hidden>
          <a class="brand" href="#pins" aria-label="Pinfold, to the pins">
            <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M20.2 4.7a12 12 0 1 1-8.4 0" fill="none"
              stroke="currentColor" stroke-width="3" stroke-linecap="round"/><circle cx="16" cy="16" r="4.5"
              fill="currentColor"/></svg>
            <span class="brand-name">Pinfold</span>
          </a>
          <nav aria-label="Views">
            <a href="#pins" data-view="pins">Pins</a>
            <a href="#people" data-view="people">People<span class="badge" id="badge" hidden></span></a>
          </nav>
          <div class="bar-end">
            <button class="button drop" type="button" id="drop">
              <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2.5v11M2.5 8h11"/></svg>Drop a pin</button>
            <span class="me" id="me" dir="auto"></span>
            <button class="button quiet" type="button" id="sign-out">
              <svg viewBox="0 0 16 16" aria-hidden="true"><path
                d="M9.5 2.5h-6v11h6M6.5 8h8M11.5 5l3 3-3 3"/></svg>
              <span>Sign out</span></button>
          </div>
        </header>

        <main id="main" tabindex="-1">
          <section class="door" id="door-view" hidden>
            <svg class="backdrop" viewBox="0 0 800 800" aria-hidden="true">
              <g fill="none" stroke="currentColor"><circle cx="400" cy="400" r="90"/><circle cx="400" cy="400" r="180"/>
                <circle cx="400" cy="400" r="280"/><circle cx="400" cy="400" r="395"/></g>
              <circle class="dot food" cx="303" cy="447" r="9"/><circle class="dot culture" cx="220" cy="513" r="9"/>
              <circle class="dot nature" cx="103" cy="438" r="9"/><circle class="dot nightlife" cx="28" cy="532" r="9"/>
              <circle class="dot education" cx="370" cy="605" r="9"/><circle class="dot shopping" cx="414" cy="738"
                r="9"/>
              <circle class="dot nature" cx="332" cy="552" r="9"/><circle class="dot other" cx="164" cy="550" r="9"/>
            </svg>
            <div class="pitch">
              <p class="brand"><svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path
                d="M20.2 4.7a12 12 0 1 1-8.4 0" fill="none" stroke="currentColor" stroke-width="3"
                stroke-linecap="round"/><circle cx="16" cy="16" r="4.5" fill="currentColor"/></svg>
                <span class="brand-name">Pinfold</span></p>
              <h1>Places worth&nbsp;it, from people you&nbsp;know.</h1>
              <p>You and your friends drop pins on the places you like. Friends see them, nobody else does, and all of
                it
                stays on this server.</p>
            </div>
            <div class="panel">
              <form id="sign-in" method="post" novalidate aria-labelledby="sign-in-title">
                <h2 id="sign-in-title" tabindex="-1">Sign in</h2>
                <p class="alert" role="alert" hidden></p>
                <div class="field">
                  <label for="in-login">Username or email</label>
                  <input id="in-login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false"
                    dir="auto">
                </div>
                <div class="field">
                  <label for="in-password">Password</label>
                  <input id="in-password" name="password" type="password" autocomplete="current-password">
                </div>
                <button class="button wide" type="submit">Sign in</button>
                <p class="aside-note">New here? <button class="link" type="button" id="to-sign-up">Create an
                  account</button></p>
              </form>
              <form id="sign-up" method="post" novalidate aria-labelledby="sign-up-title" hidden>
                <h2 id="sign-up-title" tabindex="-1">Create an account</h2>
                <p class="alert" role="alert" hidden></p>
                <div class="field">
                  <label for="up-username">Username</label>
                  <input id="up-username" name="username" autocomplete="username" autocapitalize="none"
                    spellcheck="false"
                    dir="auto" aria-describedby="up-username-hint">
                  <p class="hint" id="up-username-hint">3 to 30 letters, digits, dots or underscores, in any script.</p>
                </div>
                <div class="field">
                  <label for="up-displayName">Name to show <span class="optional">optional</span></label>
                  <input id="up-displayName" name="displayName" autocomplete="name" dir="auto">
                </div>
                <div class="field">
                  <label for="up-email">Email</label>
                  <input id="up-email" name="email" type="email" autocomplete="email" spellcheck="false">
                </div>
                <div class="field">
                  <label for="up-password">Password</label>
                  <input id="up-password" name="password" type="password" autocomplete="new-password">
                </div>
                <button class="button wide" type="submit">Create account</button>
                <p class="aside-note">Have one already? <button class="link" type="button" id="to-sign-in">Sign
                  in</button></p>
              </form>
            </div>
          </section>

          <section class="pins-view" id="pins-view" aria-labelledby="pins-title" hidden>
            <h1 class="unseen" id="pins-title" tabindex="-1">Pins around a point</h1>
            <div class="side">
              <form class="point" id="point" method="post" novalidate>
                <div class="field">
                  <label for="point-text">Point to look around</label>
                  <div class="joined">
                    <input id="point-text" name="near" inputmode="text" autocomplete="off" spellcheck="false"
                      placeholder="44.9551, -93.1022" aria-describedby="point-hint">
                    <button class="button" type="submit">Look</button>
                  </div>
                  <p class="hint" id="point-hint">Latitude, longitude, or
                    <button class="link" type="button" id="locate">use my location</button></p>
                </div>
              </form>
              <figure class="overview" id="overview">
                <svg id="plot" viewBox="0 0 400 400" role="img" aria-labelledby="plot-text"></svg>
                <figcaption>
                  <span id="plot-text"></span>
                  <span class="zoom">
                    <button class="round" type="button" id="nearer" aria-label="Show a smaller area"><svg
                      viewBox="0 0 16 16" aria-hidden="true"><path d="M8 3v10M3 8h10"/></svg></button>
                    <button class="round" type="button" id="farther" aria-label="Show a larger area"><svg
                      viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8h10"/></svg></button>
                  </span>
                </figcaption>
                <div class="chosen" id="chosen" role="group" aria-label="The place you chose" hidden>
                  <span class="position" id="chosen-position"></span>
                  <span class="chosen-acts">
                    <button class="button quiet small" type="button" id="chosen-look">Look around here</button>
                    <button class="button quiet small" type="button" id="chosen-drop">Drop a pin here</button>
                  </span>
                </div>
              </figure>
            </div>
            <div class="listing">
              <form class="filters" id="filters" method="post" role="search" aria-label="Filter pins">
                <div class="filter-row">
                  <label class="unseen" for="filter-text">Words in name, comment or address</label>
                  <input id="filter-text" type="search" placeholder="Words in name, comment, address" autocomplete="off"
                    maxlength="200" dir="auto">
                  <label class="unseen" for="filter-rating">Minimum rating</label>
                  <select id="filter-rating">
                    <option value="">Any rating</option>
                    <option value="5">5 stars</option>
                    <option value="4">4+ stars</option>
                    <option value="3">3+ stars</option>
                    <option value="2">2+ stars</option>
                    <option value="1">Rated</option>
                  </select>
                </div>
                <div class="chips" id="chips" role="group" aria-label="Categories"></div>
              </form>
              <p class="summary" id="summary" role="status"></p>
              <ol class="pins" id="pins" aria-label="Pins, nearest first"></ol>
              <div class="blank" id="blank" hidden>
                <h2 id="blank-title"></h2>
                <p id="blank-text"></p>
              </div>
              <button class="button quiet wide" type="button" id="more" hidden>Load more</button>
            </div>
          </section>

          <section class="people-view" id="people-view" aria-labelledby="people-title" hidden>
            <h1 id="people-title" tabindex="-1">People</h1>
            <div class="people-columns">
              <div>
                <section class="panel" id="incoming-panel" aria-labelledby="incoming-title">
                  <h2 id="incoming-title">Requests for you</h2>
                  <ul class="people" id="incoming"></ul>
                </section>
                <section class="panel" aria-labelledby="find-title">
                  <h2 id="find-title">Find people</h2>
                  <form id="find" method="post" role="search" novalidate>
                    <div class="field">
                      <label for="find-text">Username or name</label>
                      <div class="joined">
                        <input id="find-text" name="q" type="search" autocomplete="off" autocapitalize="none"
                          spellcheck="false" dir="auto">
                        <button class="button" type="submit">Find</button>
                      </div>
                    </div>
                  </form>
                  <p class="hint" id="found-note" role="status"></p>
                  <ul class="people" id="found"></ul>
                </section>
              </div>
              <div>
                <section class="panel" aria-labelledby="friends-title">
                  <h2 id="friends-title">Friends</h2>
                  <ul class="people" id="friends"></ul>
                </section>
                <section class="panel" id="outgoing-panel" aria-labelledby="outgoing-title">
                  <h2 id="outgoing-title">Requests you sent</h2>
                  <ul class="people" id="outgoing"></ul>
                </section>
              </div>
            </div>
          </section>
        </main>

        <dialog id="pin-dialog" aria-labelledby="pin-title">
          <form id="pin-form" method="post" novalidate>
            <div class="dialog-head">
              <h2 id="pin-title">Drop a pin</h2>
              <button class="round" type="button" id="pin-close" aria-label="Close"><svg viewBox="0 0 16 16"
                aria-hidden="true"><path d="M4 4l8 8M12 4l-8 8"/></svg></button>
            </div>
            <p class="alert" role="alert" hidden></p>
            <div class="field">
              <label for="pin-name">Name</label>
              <input id="pin-name" name="name" autocomplete="off" maxlength="400" dir="auto">
            </div>
            <div class="field">
              <label for="pin-comment">Comment <span class="optional">optional</span></label>
              <textarea id="pin-comment" name="comment" rows="3" dir="auto"></textarea>
            </div>
            <fieldset class="field" data-field="rating">
              <legend>Rating</legend>
              <div class="rating-row">
                <span class="star-input" id="star-input"></span>
                <label class="choice"><input type="radio" name="rating" value="" checked><span>None</span></label>
              </div>
            </fieldset>
            <fieldset class="field" data-field="category">
              <legend>Category</legend>
              <div class="choices" id="category-input"></div>
            </fieldset>
            <div class="pair">
              <div class="field">
                <label for="pin-latitude">Latitude</label>
                <input id="pin-latitude" name="latitude" inputmode="text" autocomplete="off" spellcheck="false">
              </div>
              <div class="field">
                <label for="pin-longitude">Longitude</label>
                <input id="pin-longitude" name="longitude" inputmode="text" autocomplete="off" spellcheck="false">
              </div>
            </div>
            <p class="hint"><button class="link" type="button" id="pin-locate">Use my location</button>. The address is
              looked
              up from the coordinates.</p>
            <fieldset class="field" data-field="audience">
              <legend>Who sees it</legend>
              <div class="choices">
                <label class="choice"><input type="radio" name="audience" value="friends"
                  checked><span>Friends</span></label>
                <label class="choice"><input type="radio" name="audience" value="private"><span>Only me</span></label>
              </div>
            </fieldset>
            <div class="dialog-foot">
              <button class="button quiet" type="button" id="pin-cancel">Cancel</button>
              <button class="button" type="submit">Drop the pin</button>
            </div>
          </form>
        </dialog>

        <div class="toast" id="toast" role="status"></div>
        """#
}
