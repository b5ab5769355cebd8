import { counted, numberText, UndoTotals } from '@account-import/account-files'
import type { ImportRun, UndoneAccounts } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import { html, type Html, noHtml, stackedBar } from '@account-import/core/html'
import type { Refusal } from '@account-import/http-contract'
import { formOf } from '@account-import/adapter-http-koa/pages'
import { accountAddress } from '../accounts/address.js'
import { emptyState, links, nameOf, table, tiles } from '../components.js'
import { alertOf, type Answer, type Parts, streamed, type Visit } from '../route.js'

/** Accounts in one preview, and in one step of an undo. */
const batchSize = 1000

/** A previewed batch: the code that confirms it, and its last account number, which says where the next batch begins. */
type Batch = Readonly<{ code: string; last: string }>

const add = (sum: UndoTotals, { accounts, kept }: UndoneAccounts): void =>
  sum.add(
    accounts,
    kept.map(({ externalAccountNumber: number, reason }) => ({ number, reason })),
  )

/** Why accounts are kept, for people. */
const reasons: Readonly<Record<string, string>> = {
  not_created: 'There is no created account any more',
  has_additions: 'Something was added to the account since it was created',
  erased: 'Its personal data was erased, and the rest is the evidence of that',
  email_being_sent: 'Its e-mail is being sent now: try again in a minute',
  changed: 'It changed since the preview',
  refused_by_platform: 'The platform uses the account already',
}

const keptPart = (sum: UndoTotals, importSupplier: string): Html => {
  const count = sum.keptCount
  if (count === 0) return noHtml
  const rows = [...sum.kept].map(([reason, each]) => [
    html`${reasons[reason] ?? reason}`,
    html`${numberText(each)}`,
  ])
  const named = sum.named.map(({ number, reason }) => [
    html`<a href="${accountAddress('../../../', importSupplier, number)}"><bdi>${number}</bdi></a>`,
    html`${reasons[reason] ?? reason}`,
  ])
  return html`<h2>Kept: ${numberText(count)}</h2>
    ${table('Reasons by the number of accounts', [['Reason'], ['Accounts', 'num']], rows)}
    ${named.length === 0 ? noHtml : table(`The first ${named.length} kept accounts`, [['Account number'], ['Reason']], named)}`
}

/** The latest of these lines is shown: the page grows while the work goes on. */
const progressLine = (text: string, progress: Html = noHtml): Html =>
  html`<div class="step"><p>${text}</p> ${progress}</div>`

const requestOf = (run: ImportRun, numbers: readonly string[], withAdditions: boolean) => ({
  import_supplier_code: run.importSupplier,
  external_account_numbers: numbers,
  with_additions: withAdditions,
})

/** The form that confirms a preview. */
const confirmForm = (
  sum: UndoTotals,
  batches: readonly Batch[],
  withAdditions: boolean,
): Html => html`<form method="post" class="card">
  ${withAdditions ? html`<input type="hidden" name="with_additions" value="true" />` : noHtml}
  ${batches.map(({ code, last }) => html`<input type="hidden" name="batch" value="${code} ${last}" />`)}
  <label><input type="checkbox" name="confirmed" value="yes" required /> Remove ${counted(sum.accounts, 'account')}, with items and e-mails${sum.withAdditions === 0 ? '' : `, and the additions of ${numberText(sum.withAdditions)} of them`}. They may be imported again, under new platform account numbers.</label>
  <button class="primary danger">Undo ${counted(sum.accounts, 'account')}</button>
  <p class="soft">The preview can be confirmed for 15 minutes. An account that changes meanwhile is kept.</p>
</form>`

/** The accounts of the run after a number, up to `last` if it is given. */
const numbersAfter = async (
  { useCases, organisation }: Visit,
  { id }: ImportRun,
  after: string | undefined,
  last?: string,
): Promise<Either<Refusal, readonly string[]>> =>
  E.map(({ items }: Readonly<{ items: readonly string[] }>) =>
    last === undefined ? items : items.filter((number) => compareCodePoints(number, last) <= 0),
  )(await useCases.importRunAccounts({ organisation, id, after, limit: batchSize }))

async function* previewParts(visit: Visit, run: ImportRun, withAdditions: boolean): Parts {
  const { useCases, organisation, by } = visit
  yield html`<p>An undo removes the accounts that the run created. This page changes nothing yet.</p>
    <div class="steps" role="status">`
  const [sum, batches] = [new UndoTotals(), [] as Batch[]]
  for (;;) {
    const numbers = await numbersAfter(visit, run, batches.at(-1)?.last)
    if (E.isLeft(numbers)) return yield html`</div>${alertOf(visit, numbers.left)}`
    const last = numbers.right.at(-1)
    if (last === undefined) break
    const payload = requestOf(run, numbers.right, withAdditions)
    const preview = await useCases.previewUndo({ organisation, payload, by })
    if (E.isLeft(preview)) return yield html`</div>${alertOf(visit, preview.left)}`
    add(sum, preview.right)
    batches.push({ code: preview.right.confirmationCode, last })
    yield progressLine(`${counted(sum.accounts + sum.keptCount, 'account')} looked at`)
  }
  const parts = [
    { tone: 'bad', name: 'Would be undone', count: sum.accounts },
    { tone: 'soft', name: 'Kept', count: sum.keptCount },
  ]
  yield html`</div>${tiles(parts)} ${stackedBar(parts)}`
  yield sum.accounts === 0
    ? emptyState(html`There is no account to undo.`)
    : confirmForm(sum, batches, withAdditions)
  yield keptPart(sum, run.importSupplier)
  yield links([
    sum.kept.has('has_additions')
      ? html`<a href="?with_additions=true">Preview with additions</a>`
      : undefined,
    withAdditions ? html`<a href="./">Preview without additions</a>` : undefined,
    html`<a href="../">Back to the run</a>`,
  ])
}

/** Undoes one batch if nothing in it changed since the preview; otherwise all of its accounts are kept as `changed`. */
const undoBatch = async (
  { useCases, organisation, by }: Visit,
  payload: ReturnType<typeof requestOf>,
  { code }: Batch,
  sum: UndoTotals,
): Promise<Either<Refusal, undefined>> => {
  const confirmed = { ...payload, confirmation_code: code }
  const undone = await useCases.undoAccounts({ organisation, payload: confirmed, by })
  if (E.isRight(undone)) add(sum, undone.right)
  else if (undone.left._tag === 'UndoNotConfirmed')
    sum.keep('changed', payload.external_account_numbers.length)
  else return undone
  return E.right(undefined)
}

async function* undoParts(
  visit: Visit,
  run: ImportRun,
  batches: readonly Batch[],
  withAdditions: boolean,
): Parts {
  yield html`<p>The undo goes on while this page is open. After an interruption, open the preview again.</p>
    <div class="steps" role="status">`
  const sum = new UndoTotals()
  let failed: Refusal | undefined
  for (const [index, batch] of batches.entries()) {
    const numbers = await numbersAfter(visit, run, batches[index - 1]?.last, batch.last)
    const done =
      E.isLeft(numbers) || numbers.right.length === 0
        ? numbers
        : await undoBatch(visit, requestOf(run, numbers.right, withAdditions), batch, sum)
    if (E.isLeft(done)) {
      failed = done.left
      break
    }
    const left = batches.length - index - 1
    yield progressLine(
      `${counted(sum.accounts, 'account')} undone`,
      stackedBar([
        { tone: 'info', count: index + 1 },
        { tone: 'none', count: left },
      ]),
    )
  }
  const parts = [
    { tone: 'good', name: 'Undone', count: sum.accounts },
    { tone: 'soft', name: 'Kept', count: sum.keptCount },
  ]
  yield html`</div>${failed === undefined ? noHtml : alertOf(visit, failed)} ${tiles(parts)} ${stackedBar(parts)} ${keptPart(sum, run.importSupplier)}
    ${links([
      html`<a href="../">Back to the run</a>`,
      failed !== undefined || sum.keptCount > 0 ? html`<a href="./">Preview again</a>` : undefined,
    ])}`
}

const findRun = async ({ useCases, organisation, captures: [id = ''] }: Visit) =>
  useCases.findImportRun({ organisation, id })

/** The accounts that an undo of the run would remove and keep, with the form that confirms exactly these. */
export const undoPreview = async (visit: Visit): Answer => {
  const run = await findRun(visit)
  if (E.isLeft(run)) return run
  const withAdditions = visit.query.get('with_additions') === 'true'
  const head = { title: `Undo ${nameOf(run.right)}`, folder: 'runs/' } as const
  return streamed(visit, head, previewParts(visit, run.right, withAdditions))
}

/** A million accounts have a thousand batches. */
const formLimitBytes = 262_144

const batchForm = /^([0-9a-z]{8}-[0-9a-f]{32}) (.+)$/s

/** Undoes the accounts of the confirmed preview, batch by batch, and shows how far it is. */
export const undo = async (visit: Visit): Answer => {
  const run = await findRun(visit)
  if (E.isLeft(run)) return run
  const form = await formOf(visit.ctx, formLimitBytes)
  if (E.isLeft(form)) return form
  const batches = form.right.getAll('batch').map((text): Batch => {
    const [, code = '', last = ''] = batchForm.exec(text) ?? []
    return { code, last }
  })
  const isWhole = batches.length > 0 && batches.every(({ last }) => last !== '')
  if (form.right.get('confirmed') !== 'yes' || !isWhole) return E.left({ _tag: 'UndoNotConfirmed' })
  const withAdditions = form.right.get('with_additions') === 'true'
  const head = { title: `Undo ${nameOf(run.right)}`, folder: 'runs/' } as const
  return streamed(visit, head, undoParts(visit, run.right, batches, withAdditions))
}
