import type { FileTotals } from '../file-totals.js'
import { html, noHtml, type Html } from '@account-import/http-contract'
import { counted } from './numbers.js'

const shown = 10

/** What a file holds twice; nothing where there is no such account. */
export const repeatsSection = ({ repeats: { count, examples, complete } }: FileTotals): Html =>
  count === 0
    ? noHtml
    : html`<section id="repeats">
        <h2>Accounts that come more than once</h2>
        <p>
          ${counted(count, 'line')} ${count === 1 ? 'names' : 'name'} a supplier and an account number that an
          earlier line has already. When both are staged, the later one replaces the earlier. This does not
          count as an error.
        </p>
        <ul class="soft">
          ${examples
            .slice(0, shown)
            .map(({ line, firstLine }) => html`<li>line ${line} repeats line ${firstLine}</li> `)}
          ${count > shown ? html`<li>and ${counted(count - shown, 'more line')}</li>` : noHtml}
        </ul>
        ${complete ? noHtml : html`<p class="soft small">The file has more accounts than are remembered, so there may be more repeats.</p>`}
      </section> `
