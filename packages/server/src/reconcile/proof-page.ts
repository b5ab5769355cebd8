import { html, type Html, noHtml } from '@account-import/core/adapter-kit'
import { numberText } from '../account-files/report/numbers.js'
import { dataTable, factList, tile } from '../account-files/report/parts.js'
import { wholePage } from '../account-files/report/report-page.js'
import { type Different, isProved, type Listed, type Proof } from './proof.js'

const verdict = (proof: Proof): Html =>
  isProved(proof)
    ? html`<section class="verdict">
        <p>
          Every account of the files exists, and equals its line. There is no other account of this supplier. All sums
          agree.
        </p>
      </section> `
    : html`<section class="verdict bad">
        <p>Files and service differ. Each difference stands below.</p>
      </section> `

const tone = (count: number): string => (count === 0 ? 'good' : 'bad')

const tiles = ({ accounts, missing, extra, stagedOnly, repeated, different }: Proof): Html => {
  const many = (name: string, count: number, more: string): Html =>
    tile(tone(count), name, numberText(count), more)
  return html`<dl class="tiles">
    ${tile('', 'In the files', numberText(accounts.inFiles), 'accounts')}${tile('', 'Created', numberText(accounts.created), 'accounts in the service')}${tile('good', 'Equal', numberText(accounts.equal), 'value by value')}${many('Different', different.count, 'in at least one value')}${many('Missing', missing.count, 'not in the service')}${many('Only staged', stagedOnly.count, 'not created yet')}${many('Extra', extra.count, 'in no file')}${many('Twice', repeated.count, 'on several lines')}${many('Invalid', accounts.invalid, 'lines that no import accepts')}
  </dl>`
}

const mark = (isEqual: boolean): Html =>
  isEqual ? html`<span class="tag">equal</span>` : html`<span class="tag bad">differs</span>`

const figures = (proof: Proof): Html =>
  html`<section>
    <h2>Sums</h2>
    ${dataTable(
      [['figure'], ['files', 'num'], ['staged', 'num'], ['created', 'num'], ['']],
      proof.figures.map(({ name, file, staged, created, isEqual }) => [
        name,
        file,
        staged,
        created,
        mark(isEqual),
      ]),
    )}
  </section> `

const controls = ({ controls: all }: Proof): Html =>
  all.length === 0
    ? noHtml
    : html`<section>
        <h2>Control totals of the old system</h2>
        ${dataTable(
          [['total'], ['expected', 'num'], ['created', 'num'], ['']],
          all.map(({ name, expected, found, isEqual }) => [name, expected, found, mark(isEqual)]),
        )}
      </section> `

const numbers = (title: string, { count, named }: Listed): Html =>
  count === 0
    ? noHtml
    : html`<section class="long">
        <h2>${title}: ${numberText(count)}</h2>
        <p>${named.map((number) => html`<code>${number}</code> `)}</p>
        ${count > named.length ? html`<p class="soft">and ${numberText(count - named.length)} more</p>` : noHtml}
      </section> `

const pathsOf = ({ paths }: Different): string => paths?.join(', ') ?? 'not looked into'

const differences = ({ different: { count, named } }: Proof): Html =>
  count === 0
    ? noHtml
    : html`<section class="long">
        <h2>Different accounts: ${numberText(count)}</h2>
        ${dataTable(
          [['account'], ['where']],
          named.map((each) => [each.number, pathsOf(each)]),
        )}
        ${count > named.length ? html`<p class="soft">and ${numberText(count - named.length)} more</p>` : noHtml}
      </section> `

const run = ({ supplier, url, by, at, version, files, accounts }: Proof): Html =>
  html`<section>
    <h2>Run</h2>
    ${factList([
      ['supplier', supplier],
      ['service', url],
      ['run by', by],
      ['at', at],
      ['version of the rules', version],
      ['accounts with additions', numberText(accounts.withAdditions)],
      ['lines of other suppliers', numberText(accounts.otherSuppliers)],
    ])}
    ${dataTable(
      [['file'], ['bytes', 'num'], ['accounts', 'num'], ['SHA-256']],
      files.map(({ name, bytes, accounts: many, sha256 }) => [
        name,
        numberText(bytes),
        numberText(many),
        html`<code>${sha256}</code>`,
      ]),
    )}
  </section> `

/** The proof as one page to hand on. It holds account numbers, paths and sums, and no other value of an account. */
export const proofPage = (proof: Proof): string =>
  wholePage(
    `Reconciliation of ${proof.supplier}`,
    html`<p class="soft">The accounts of the files beside those of the service, ${proof.at}.</p>`,
    html`${verdict(proof)}${tiles(proof)}${figures(proof)}${controls(proof)}${differences(proof)}${numbers('Missing accounts', proof.missing)}${numbers('Only staged', proof.stagedOnly)}${numbers('Accounts that are in no file', proof.extra)}${numbers('Accounts on several lines', proof.repeated)}${run(proof)}`,
  )
