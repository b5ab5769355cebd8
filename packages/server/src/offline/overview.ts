import type { FileTotals } from '../account-files/file-totals.js'
import { html, type Html } from '@account-import/http-contract'
import { tile } from '../account-files/report/tile.js'
import { counted, numberText, shareText } from '../account-files/report/numbers.js'

type Numbers = Pick<FileTotals, 'accounts' | 'failed' | 'validWithWarnings'>

const verdict = ({
  accounts,
  failed,
  validWithWarnings,
}: Numbers): readonly [tone: string, words: string] => {
  if (accounts === 0) return ['warn', 'The file holds no account.']
  if (failed > 0)
    return [
      'bad',
      `${counted(failed, 'account')} of ${numberText(accounts)} ${failed === 1 ? 'fails' : 'fail'} validation and cannot be imported as they are.`,
    ]
  return validWithWarnings > 0
    ? ['warn', `Every account is valid; ${counted(validWithWarnings, 'account')} should be looked at.`]
    : ['good', `Every account is valid, without any warning.`]
}

const shareBar = ({ accounts, failed, validWithWarnings }: Numbers): Html => {
  const width = (count: number): number => (accounts === 0 ? 0 : (1000 * count) / accounts)
  const clean = width(accounts - failed - validWithWarnings)
  const warned = width(validWithWarnings)
  return html`<svg
    class="share"
    viewBox="0 0 1000 26"
    preserveAspectRatio="none"
    role="img"
    aria-label="Shares of valid and failed accounts; the table has the numbers"
  >
    <rect class="fill-track" width="1000" height="26" />
    <rect class="fill-good" width="${clean.toFixed(2)}" height="26" />
    <rect class="fill-warn" x="${clean.toFixed(2)}" width="${warned.toFixed(2)}" height="26" />
    <rect
      class="fill-bad"
      x="${(clean + warned).toFixed(2)}"
      width="${width(failed).toFixed(2)}"
      height="26"
    />
  </svg>`
}

const shareTable = ({ accounts, failed, validWithWarnings }: Numbers): Html => {
  const row = (tone: string, name: string, count: number): Html =>
    html`<tr>
      <th scope="row"><span class="dot ${tone}"></span>${name}</th>
      <td class="num">${numberText(count)}</td>
      <td class="num">${shareText(count, accounts)}</td>
    </tr> `
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Outcome</th>
        <th scope="col" class="num">Accounts</th>
        <th scope="col" class="num">Share</th>
      </tr>
    </thead>
    <tbody>
      ${row('good', 'valid, no warning', accounts - failed - validWithWarnings)}${row('warn', 'valid, with warnings', validWithWarnings)}${row('bad', 'failed', failed)}
    </tbody>
  </table>`
}

/** The verdict, the totals and their shares. */
export const overview = (totals: FileTotals): Html => {
  const { accounts, failed, validWithWarnings } = totals
  const valid = accounts - failed
  const [tone, words] = verdict(totals)
  return html`<section class="verdict ${tone}"><p>${words}</p></section>
    <dl class="tiles">
      ${tile('', 'Accounts', numberText(accounts), `${counted(totals.lines, 'line')} in the file`)}${tile('good', 'Valid', numberText(valid), shareText(valid, accounts))}${tile('warn', 'Valid with warnings', numberText(validWithWarnings), shareText(validWithWarnings, accounts))}${tile('bad', 'Failed', numberText(failed), shareText(failed, accounts))}
    </dl>
    <section id="outcome">
      <h2>Outcome</h2>
      ${shareBar(totals)} ${shareTable(totals)}
    </section>`
}
