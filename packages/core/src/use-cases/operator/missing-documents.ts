import type { ImportSupplier } from '../../domain/import-supplier.js'
import { pipe, TE } from '../../fp.js'
import type { AccountReferences } from '../../ports/documents.js'
import type { Ports } from '../../ports/index.js'
import { compareCodePoints } from '../../values/compare-code-points.js'
import { documentKey } from '../../values/document-path.js'
import type { OperatorRefusal, UseCaseResult } from '../errors.js'
import { foundIn, mapped, pagesOf } from '../pages.js'
import { supplierByCode } from './suppliers.js'

/** A document that an account's data names, and that is not in the storage. */
export type MissingDocument = Readonly<{
  externalAccountNumber: string
  /** Undefined until the account is created. */
  platformAccountNumber: string | undefined
  /** As sent, relative to the supplier's document root. */
  path: string
}>

/** The findings about the next accounts: how many there are, how many documents they name, which are missing. */
export type DocumentsChecked = Readonly<{
  accounts: number
  /** A document that two accounts name counts twice. */
  references: number
  missing: readonly MissingDocument[]
}>

type MissingPorts = Pick<Ports, 'importSuppliers' | 'documentReferences' | 'documents'>

const pageSize = 500

/** Documents asked for in one call of the port, which takes half a minute at most. */
const batchSize = 1000

/** Which of the keys exist. A failure of the storage is thrown, to end the iteration. */
const existingOf = async ({ documents }: MissingPorts, keys: readonly string[], organisation: string) => {
  const existing = new Set<string>()
  for (let begin = 0; begin < keys.length; begin += batchSize) {
    const found = await documents.existing(keys.slice(begin, begin + batchSize), organisation)()
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
  { organisation, settings }: ImportSupplier,
  accounts: readonly AccountReferences[],
): Promise<DocumentsChecked> => {
  const references = referencesOf(accounts, settings.documentRoot)
  // A path without a key cannot have a document, so the storage is not asked for it.
  const keys = [...new Set(references.flatMap(({ key }) => key ?? []))]
  const existing = await existingOf(ports, keys, organisation)
  const missing = references
    .filter(({ key }) => key === undefined || !existing.has(key))
    .map((reference): MissingDocument => reference.missing)
  return { accounts: accounts.length, references: references.length, missing }
}

const pageAfter =
  ({ documentReferences }: MissingPorts, { organisation, code }: ImportSupplier) =>
  (last?: AccountReferences) =>
    documentReferences.page({
      organisation,
      importSupplier: code,
      after: last?.externalAccountNumber,
      limit: pageSize,
    })

/**
 * Looks for every document that the supplier's data names, whatever its settings say. Before this answers, the storage
 * is asked whether it is ready and the first page is read, so that a port that fails at once gives a Left.
 */
export const missingDocuments =
  (ports: MissingPorts) =>
  (code: string): UseCaseResult<OperatorRefusal, AsyncIterable<DocumentsChecked>> =>
    pipe(
      supplierByCode(ports, code),
      TE.bindTo('supplier'),
      TE.tap(() => ports.documents.ready()),
      TE.bindW('first', ({ supplier }) => pageAfter(ports, supplier)()),
      TE.map(({ supplier, first }) =>
        mapped(pagesOf(pageAfter(ports, supplier), pageSize, first), (page) =>
          checkPage(ports, supplier, foundIn(page)),
        ),
      ),
    )
