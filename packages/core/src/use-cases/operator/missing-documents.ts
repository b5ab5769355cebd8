import type { ImportSupplier } from '../../domain/import-supplier.js'
import { pipe, TE } from '../../fp.js'
import type { AccountReferences } from '../../ports/document-references.js'
import type { Ports } from '../../ports/index.js'
import { compareCodePoints } from '../../values/compare-code-points.js'
import { documentKey } from '../../values/document-key.js'
import type { DocumentsChecked, MissingDocument, OperatorUseCases } from '../signatures.js'
import { showSupplier } from './suppliers.js'

type MissingPorts = Pick<Ports, 'importSuppliers' | 'documentReferences' | 'documents'>

const pageSize = 500

/** Documents asked for in one call, which has half a minute for all of them. */
const batchSize = 1000

/** Which of the keys exist. A failing storage is thrown: it ends an iteration. */
const existingOf = async ({ documents }: MissingPorts, keys: readonly string[]) => {
  const existing = new Set<string>()
  for (let begin = 0; begin < keys.length; begin += batchSize) {
    const found = await documents.existing(keys.slice(begin, begin + batchSize))()
    if (found._tag === 'Left') throw found.left
    for (const key of found.right) existing.add(key)
  }
  return existing
}

const referencesOf = (accounts: readonly AccountReferences[], documentRoot: string) =>
  accounts.flatMap(({ paths, ...account }) =>
    paths
      .toSorted(compareCodePoints)
      .map((path) => ({ missing: { ...account, path }, key: documentKey(documentRoot, path) })),
  )

const checkPage = async (
  ports: MissingPorts,
  { settings }: ImportSupplier,
  accounts: readonly AccountReferences[],
): Promise<DocumentsChecked> => {
  const references = referencesOf(accounts, settings.documentRoot)
  // Where no document can be, nothing is asked for.
  const keys = [...new Set(references.flatMap(({ key }) => key ?? []))]
  const existing = await existingOf(ports, keys)
  const missing = references
    .filter(({ key }) => key === undefined || !existing.has(key))
    .map((reference): MissingDocument => reference.missing)
  return { accounts: accounts.length, references: references.length, missing }
}

const requestAfter = ({ organisation, code }: ImportSupplier, after: string | undefined) => ({
  organisation,
  importSupplier: code,
  after,
  limit: pageSize,
})

/** Page after page until none is left. A failing port ends the iteration with its failure as the thrown value. */
async function* checkedPages(
  ports: MissingPorts,
  supplier: ImportSupplier,
  first: readonly AccountReferences[],
): AsyncGenerator<DocumentsChecked> {
  for (let page = first; page.length > 0;) {
    yield await checkPage(ports, supplier, page)
    if (page.length < pageSize) return
    const after = page.at(-1)?.externalAccountNumber
    const next = await ports.documentReferences.page(requestAfter(supplier, after))()
    if (next._tag === 'Left') throw next.left
    page = next.right
  }
}

/**
 * Looks for every document that the supplier's data names, whatever its settings check. The storage is asked whether it
 * is ready, and the first page is read, before this answers, so that failing ports are still a Left.
 */
export const missingDocuments =
  (ports: MissingPorts): OperatorUseCases['missingDocuments'] =>
  (code) =>
    pipe(
      showSupplier(ports)(code),
      TE.bindTo('supplier'),
      TE.tap(() => ports.documents.ready()),
      TE.bindW('first', ({ supplier }) => ports.documentReferences.page(requestAfter(supplier, undefined))),
      TE.map(({ supplier, first }) => checkedPages(ports, supplier, first)),
    )
