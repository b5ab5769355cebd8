import { html, type Html, noHtml } from '@account-import/core/html'
import type { Problem } from '@account-import/http-contract'
import { codeLink } from '../components.js'
import { type Frame, wholePage } from '../layout.js'

/** Texts for people. Those of the catalogue are for programs, which send a token in a header. */
const words: Readonly<Record<string, string>> = {
  not_authenticated: 'Log in to the platform first.',
  authentication_failed: 'The key or the login is not valid, or has ended.',
  token_expired: 'The login has ended. Log in again.',
  permission_denied:
    'Your key does not have the scope for this, or the request did not come from a page of this service.',
  import_process_does_not_exist:
    'No data of this account is staged: it was never sent, or it was refused each time, or undone long ago.',
  import_run_does_not_exist: 'There is no such import run.',
}

/** The form of the login. `to`: the page to show then, relative to the first page. */
const login = (
  frame: Frame,
  to: string,
  alert: Html,
): Html => html`<form method="post" action="${frame.root}console/log-in/" class="login card">
  <h1>Log in</h1>
  ${alert}
  <input name="to" type="hidden" value="${to}" />
  <label for="api_key">API key</label>
  <input id="api_key" name="api_key" type="password" autocomplete="off" required maxlength="200" />
  <button class="primary">Log in</button>
  <p class="soft">The scopes of the key decide which pages you see; most need <code>read</code>. The operator creates a key with <code>account-import api-key create</code>.</p>
  <p class="soft">The browser keeps the login for 12 hours at most, and only where it reached this page by HTTPS or on this machine.</p>
</form>`

/** The page for a refused request. `loginTo`: where a login would lead; absent if another login would not help. */
export const refusalPage = (
  frame: Frame,
  { status, body, headers }: Problem,
  loginTo: string | undefined,
): string => {
  const wait = headers['Retry-After']
  const alert = html`<p class="callout bad" role="alert">
    ${words[body.code] ?? body.detail} ${codeLink(frame, body.code)}
    ${wait === undefined ? noHtml : html` Try again in ${wait} seconds.`}
  </p>`
  if (loginTo === undefined) return wholePage(frame, { title: 'This page cannot be shown', parts: alert })
  const isFirst = status === 401 && body.code === 'not_authenticated'
  return wholePage(frame, {
    title: 'Log in',
    isHeaded: true,
    parts: login(frame, loginTo, isFirst ? noHtml : alert),
  })
}
