import { E } from '@account-import/core/fp'
import { html } from '@account-import/core/html'
import { addressCodecs, cursorText } from '@account-import/http-contract'
import { accountAddress } from '../accounts/address.js'
import { emptyState, links, nameOf } from '../components.js'
import { wholePage } from '../layout.js'
import { type Answer, decodedBy, given, page, queryText, type Visit } from '../route.js'

const mostShown = 100

/** The numbers of the existing accounts that a run created. */
export const runAccounts = async (visit: Visit): Answer => {
  const { useCases, organisation, captures, frame } = visit
  const [id = ''] = captures
  const asked = decodedBy(addressCodecs.list, { cursor: given(visit, 'cursor') })
  if (E.isLeft(asked)) return asked
  const run = await useCases.findImportRun({ organisation, id })
  if (E.isLeft(run)) return run
  const { cursor: after } = asked.right
  const accounts = await useCases.importRunAccounts({ organisation, id, after, limit: mostShown })
  if (E.isLeft(accounts)) return accounts
  const { items, next } = accounts.right
  const list = html`<ul class="many">${items.map(
    (number) =>
      html`<li><a href="${accountAddress('../../../', run.right.importSupplier, number)}"><bdi>${number}</bdi></a></li> `,
  )}</ul>`
  return page(
    wholePage(frame, {
      title: `Accounts of ${nameOf(run.right)}`,
      folder: 'runs/',
      parts: html`<p class="soft">Accounts that the run created and that exist, in the order of their numbers</p>
        ${items.length === 0 ? emptyState(html`None.`) : list}
        ${links([
          html`<a href="../">Back to the run</a>`,
          after === undefined ? undefined : html`<a href="./">First page</a>`,
          next === undefined
            ? undefined
            : html`<a href="${queryText({ cursor: cursorText(next) })}">Next page</a>`,
        ])}`,
    }),
  )
}
