import { numberText } from '@account-import/account-files'
import type { AccountKey, ListedEvent, TransferStatus } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { html, type Html, noHtml } from '@account-import/core/html'
import { addressCodecs } from '@account-import/http-contract'
import { chip, codeLink, emptyState, facts, links, table, timeAgo } from '../components.js'
import { alertOf, type Answer, decodedBy, type Parts, streamed, type Visit } from '../route.js'

const stateChip = ({ status, isSkipped, latestError }: TransferStatus): Html => {
  if (status === 'COMPLETED') return chip('created', 'good')
  if (status === 'IN_PROGRESS') return chip('being created', 'info')
  if (isSkipped === true) return chip('skipped', 'soft')
  return latestError === undefined ? chip('not created yet', 'info') : chip('refused', 'bad')
}

const runLink = (id: string | undefined): Html =>
  id === undefined ? html`–` : html`<a href="../../runs/${encodeURIComponent(id)}/">${id}</a>`

/** The number of items that were added after the creation, as a preview of an undo counts them. */
const additionsOf = async (
  { useCases, organisation }: Visit,
  key: AccountKey,
): Promise<number | undefined> => {
  const payload = {
    import_supplier_code: key.importSupplier,
    external_account_numbers: [key.externalAccountNumber],
    with_additions: true,
  }
  const preview = await useCases.previewUndo({ organisation, payload })
  return E.isRight(preview) ? preview.right.accounts[0]?.additions : undefined
}

const statusPart = (visit: Visit, status: TransferStatus, additions: number | undefined): Html => {
  const { latestError: error, platformAccountNumber, attempts } = status
  const latest =
    error === undefined
      ? noHtml
      : html`<div class="callout bad">
          <p>${error.detail} ${codeLink(visit.frame, error.code)}</p>
          <p class="soft">The latest attempt failed ${timeAgo(error.occurredAt, visit.now)}.</p>
        </div>`
  return html`<p role="status">${stateChip(status)}</p>
    ${latest}
    ${facts([
      ['Platform account number', html`<bdi>${platformAccountNumber ?? '–'}</bdi>`],
      ['Attempts', html`${numberText(attempts)}`],
      ['Staged by run', runLink(status.importRun)],
      ['Created by run', runLink(status.createdInRun)],
      ['Additions since', html`${additions === undefined ? '–' : numberText(additions)}`],
    ])}`
}

/** Events that the page shows at most. */
const mostEvents = 200

const eventRow = ({ frame, now }: Visit, { entry }: ListedEvent): readonly Html[] => {
  const { at, what, by, subject } = entry
  return [
    timeAgo(at, now),
    html`${what.replaceAll('_', ' ')}`,
    html`<bdi>${by.who}</bdi>`,
    subject === undefined
      ? html`–`
      : what === 'failed'
        ? codeLink(frame, subject)
        : html`<bdi>${subject}</bdi>`,
  ]
}

/** The audit log of the account. Entries contain identifiers, codes and hashes, and no other value. */
const historyPart = async (visit: Visit, key: AccountKey): Promise<Html> => {
  const pages = await visit.useCases.audit.list(key)
  if (E.isLeft(pages)) return alertOf(visit, { _tag: 'Unexpected', cause: pages.left })
  const events: ListedEvent[] = []
  for await (const page of pages.right) {
    if (E.isLeft(page)) return alertOf(visit, page.left)
    events.push(...page.right)
    if (events.length > mostEvents) break
  }
  const rows = events.slice(0, mostEvents).map((event) => eventRow(visit, event))
  return html`<h2>History</h2>
    ${rows.length === 0 ? emptyState(html`No event is recorded.`) : table('Audit events, the oldest first', [['When'], ['What'], ['Who'], ['Subject']], rows)}
    ${events.length > mostEvents ? html`<p>There are more: <code>account-import audit list</code> shows all.</p>` : noHtml}`
}

async function* accountParts(visit: Visit, key: AccountKey, status: TransferStatus): Parts {
  yield html`<p class="soft">Account of ${key.importSupplier}</p>`
  const additions = status.status === 'COMPLETED' ? await additionsOf(visit, key) : undefined
  yield statusPart(visit, status, additions)
  yield await historyPart(visit, key)
  yield links([html`<a href="../">Find another account</a>`])
}

/** One account: its state, its latest error and its history. */
export const accountPage = async (visit: Visit): Answer => {
  const { query, organisation, useCases } = visit
  const named = decodedBy(addressCodecs.account, {
    import_supplier_code: query.get('supplier'),
    external_account_number: query.get('number'),
  })
  if (E.isLeft(named)) return named
  const { import_supplier_code: importSupplier, external_account_number: externalAccountNumber } = named.right
  const key = { organisation, importSupplier, externalAccountNumber }
  const status = await useCases.transferStatus(key)
  if (E.isLeft(status)) return status
  const head = { title: externalAccountNumber, folder: 'accounts/' } as const
  return streamed(visit, head, accountParts(visit, key, status.right))
}
