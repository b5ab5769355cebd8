import { E, type Either } from '@account-import/core/fp'
import { html, type Html } from '@account-import/core/html'
import { addressCodecs, cursorText, type Refusal } from '@account-import/http-contract'
import { choice, chip, emptyState, links, table } from '../components.js'
import { wholePage } from '../layout.js'
import { type Answer, decodedBy, given, page, queryText, redirected, type Visit } from '../route.js'
import { accountAddress } from './address.js'

type Found = Readonly<{ supplier: string; number: string; platformNumber: string | undefined }>

const mostShown = 50

/** The accounts of a supplier whose numbers begin with the text, in their order: the account of that number, then longer ones. */
const accountsOf = async (
  { useCases, organisation }: Visit,
  supplier: string,
  text: string,
  cursor: string | undefined,
): Promise<Either<Refusal, readonly Found[]>> => {
  const key = { organisation, importSupplier: supplier, externalAccountNumber: text }
  const own = cursor === undefined && text !== '' ? await useCases.transferStatus(key) : undefined
  if (own !== undefined && E.isLeft(own) && own.left._tag === 'PortFailure') return own
  const after = cursor ?? (text === '' ? undefined : text)
  const others = await useCases.accountImportsPage({
    organisation,
    importSupplier: supplier,
    list: 'all',
    after,
    limit: mostShown + 1,
  })
  if (E.isLeft(others)) return others
  const exact =
    own !== undefined && E.isRight(own)
      ? [{ supplier, number: text, platformNumber: own.right.platformAccountNumber }]
      : []
  const longer = others.right.items
    .map((item): Found => ({
      supplier,
      number: item.externalAccountNumber,
      platformNumber: item.platformAccountNumber,
    }))
    .filter(({ number }) => number.startsWith(text))
  return E.right([...exact, ...longer])
}

const results = (found: readonly Found[], text: string): Html => {
  if (found.length === 0)
    return emptyState(html`No account number begins with <code><bdi>${text}</bdi></code>.`)
  return table(
    'Accounts in the order of their numbers',
    [['Account number'], ['Supplier'], ['State'], ['Platform account number']],
    found.map(({ supplier, number, platformNumber }) => [
      html`<a href="${accountAddress('../', supplier, number)}"><bdi>${number}</bdi></a>`,
      html`${supplier}`,
      platformNumber === undefined ? chip('not created', 'info') : chip('created', 'good'),
      html`${platformNumber ?? '–'}`,
    ]),
  )
}

/** Finds accounts by their number or its beginning, of one supplier or of all. One account alone is shown at once. */
export const accountSearch = async (visit: Visit): Answer => {
  const { useCases, organisation, frame } = visit
  const [supplier, text] = [given(visit, 'supplier'), given(visit, 'number')]
  const asked = decodedBy(addressCodecs.list, { cursor: given(visit, 'cursor') })
  if (E.isLeft(asked)) return asked
  const names = await useCases.usableNames(organisation)
  if (E.isLeft(names)) return names
  const codes = names.right.importSuppliers.map(({ code }) => code)
  const found: Found[] = []
  const isSearch = text !== undefined || supplier !== undefined
  for (const code of isSearch ? codes.filter((each) => supplier === undefined || each === supplier) : []) {
    const accounts = await accountsOf(visit, code, text ?? '', asked.right.cursor)
    if (E.isLeft(accounts)) return accounts
    found.push(...accounts.right)
    if (found.length > mostShown) break
  }
  const [only, ...others] = found
  if (only !== undefined && others.length === 0 && only.number === text)
    return redirected(302, accountAddress('../', only.supplier, only.number))
  const shown = found.slice(0, mostShown)
  const last = shown.at(-1)
  const hasNext = found.length > mostShown && supplier !== undefined && last !== undefined
  const form = html`<form method="get" class="filter">
    ${choice('supplier', 'Supplier', [['', 'All'], ...codes.map((code) => [code, code] as const)], supplier ?? '')}
    <label>Account number, or its beginning <input name="number" value="${text ?? ''}" maxlength="128" autocomplete="off" /></label>
    <button class="primary">Find</button>
  </form>`
  return page(
    wholePage(frame, {
      title: 'Accounts',
      folder: 'accounts/',
      parts: html`${form}
      ${isSearch ? results(shown, text ?? '') : emptyState(html`Enter the account number of the supplier's file. Names and other personal data are never shown here.`)}
      ${found.length > mostShown && !hasNext ? html`<p>There are more. Choose a supplier, or enter more of the number.</p>` : html``}
      ${links([hasNext ? html`<a href="${queryText({ supplier, number: text, cursor: cursorText(last.number) })}">Next page</a>` : undefined])}`,
    }),
  )
}
