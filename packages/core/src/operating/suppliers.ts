import { choice, documentPath, optional, required, struct } from '../codec/index.js'
import { type ImportSupplier, type SupplierStatus, supplierStatuses } from '../domain/import-supplier.js'
import { E, type Either, pipe } from '../fp.js'
import { importSupplierCode, organisationCode } from '../payloads/identifiers.js'
import type { AccountReferences } from '../ports/documents.js'
import type { Ports } from '../ports/index.js'
import { portFailure } from '../ports/port-failure.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'
import { initialSettings, settingsFaults } from '../validation/supplier-settings.js'
import { compareCodePoints } from '../values/compare.js'
import { documentKey, interpretationsOf } from '../values/document-path.js'
import { checkInput, orDoesNotExist } from '../checking/check-payload.js'
import type { OperatorRefusal, UseCaseResult } from '../checking/errors.js'
import { inSequence } from '../lists/lists.js'
import { foundIn, mapped, pagesOf } from '../lists/pages.js'
import type { Abouts } from './about.js'

/** Import suppliers and their settings. */
export type SupplierUseCases = Readonly<{
  /**
   * The organisation must exist. `code` is the `import_supplier` of payloads, and unique in the whole service. `status` is
   * `ongoing` when absent. `documentRoot` is the folder of the storage that document paths are relative to,
   * `organisation/supplier` when absent.
   */
  createSupplier(
    input: Readonly<{ code: string; organisation: string; status?: SupplierStatus; documentRoot?: string }>,
  ): UseCaseResult<OperatorRefusal, ImportSupplier>
  /** `ongoing` accepts accounts; `paused` and `complete` refuse every request that would change one (`SupplierNotOngoing`). */
  setSupplierStatus(
    input: Readonly<{ code: string; status: SupplierStatus }>,
  ): UseCaseResult<OperatorRefusal, ImportSupplier>
  configureSupplier(
    input: Readonly<{ code: string; change: (settings: SupplierSettings) => SupplierSettings }>,
  ): UseCaseResult<OperatorRefusal, ImportSupplier>
  showSupplier(code: string): UseCaseResult<OperatorRefusal, ImportSupplier>
  listSuppliers(): UseCaseResult<never, readonly ImportSupplier[]>
  /** The suppliers whose document roots contain documents of another organisation. */
  listReachingOthers(): UseCaseResult<never, readonly ImportSupplier[]>
}>

export const suppliersAbout: Abouts<SupplierUseCases> = {
  createSupplier: ({ code, organisation, status }) => ({
    of: ['supplier', code],
    organisation,
    names: [code, organisation, status],
  }),
  setSupplierStatus: ({ code, status }) => ({ of: ['supplier', code], names: [code, status] }),
  configureSupplier: ({ code }) => ({ of: ['supplier', code], names: [code] }),
  showSupplier: 'reads',
  listSuppliers: 'reads',
  listReachingOthers: 'reads',
}

/** The root of a supplier without a given one: it contains no documents of another organisation. */
const defaultDocumentRoot = ({ organisation, code }: Pick<ImportSupplier, 'organisation' | 'code'>): string =>
  `${organisation}/${code}`

/** Storages may treat letters that differ in case or composition as equal, and ignore empty segments and those of one dot. */
const comparable = (root: string): string =>
  root
    .normalize('NFKC')
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')

/** Whether the outer root contains the inner one. The empty root is the whole bucket. */
const holds = (outer: string, inner: string): boolean =>
  outer === '' || outer === inner || inner.startsWith(`${outer}/`)

type Rooted = Pick<ImportSupplier, 'organisation' | 'settings'>

/** All interpretations of a root, comparable. */
const readingsOf = ({ settings }: Rooted): readonly string[] =>
  interpretationsOf(settings.documentRoot).map(comparable)

const reaches = (from: Rooted, to: Rooted): boolean =>
  from.organisation !== to.organisation &&
  readingsOf(from).some((outer) => readingsOf(to).some((inner) => holds(outer, inner)))

/** The suppliers of other organisations whose roots equal this supplier's root, contain it or lie in it. */
const inTheWayOf = (supplier: Rooted, all: readonly ImportSupplier[]): readonly ImportSupplier[] =>
  all.filter((other) => reaches(supplier, other) || reaches(other, supplier))

/** The suppliers whose roots contain the root of a supplier of another organisation. */
const reachingOthers = (all: readonly ImportSupplier[]): readonly ImportSupplier[] =>
  all.filter((supplier) => all.some((other) => reaches(supplier, other)))

type SupplierPorts = Pick<Ports, 'importSuppliers' | 'clock' | 'settings'>

/** Refuses a supplier whose root overlaps that of another organisation's supplier. */
const withRootOfItsOwn =
  ({ importSuppliers }: SupplierPorts) =>
  async (supplier: ImportSupplier): UseCaseResult<OperatorRefusal, ImportSupplier> => {
    const all = await importSuppliers.listAll()
    if (E.isLeft(all)) return all
    const [other] = inTheWayOf(supplier, all.right)
    if (other === undefined) return E.right(supplier)
    return E.left({
      _tag: 'DocumentRootTaken',
      documentRoot: supplier.settings.documentRoot,
      importSupplier: other.code,
      otherRoot: other.settings.documentRoot,
    })
  }

/** The supplier with this code, in any organisation. */
export const supplierByCode = async (
  { importSuppliers }: Pick<Ports, 'importSuppliers'>,
  code: string,
): UseCaseResult<OperatorRefusal, ImportSupplier> =>
  pipe(await importSuppliers.findByCode(code), E.flatMap(orDoesNotExist('import supplier', code)))

/** An attempt fails only because another change was saved, so this many concurrent changes are all saved. */
const maxTries = 50

/**
 * The settings without the severities that are saved already: these were checked when they were saved, and a severity for a
 * code of a removed market must not prevent other changes.
 */
const newIn = (settings: SupplierSettings, saved: SupplierSettings): SupplierSettings => ({
  ...settings,
  severities: Object.fromEntries(
    Object.entries(settings.severities).filter(([code, severity]) => saved.severities[code] !== severity),
  ),
})

const gaveUp = portFailure(
  'unavailable',
  'importSuppliers',
  'saveSettings',
  new Error(`The settings changed ${maxTries} times while they were being changed`),
)

/** The root is checked only if it changes, so that an overlap from before this check existed does not prevent other changes. */
const checked = async (
  ports: SupplierPorts,
  supplier: ImportSupplier,
  settings: SupplierSettings,
): UseCaseResult<OperatorRefusal, SupplierSettings> => {
  const errors = settingsFaults(newIn(settings, supplier.settings), ports.settings.markets)
  if (errors.length > 0) return E.left({ _tag: 'InputNotValid', errors })
  if (settings.documentRoot === supplier.settings.documentRoot) return E.right(settings)
  return pipe(
    await withRootOfItsOwn(ports)({ ...supplier, settings }),
    E.map(() => settings),
  )
}

const input = struct('import supplier', {
  code: required(importSupplierCode),
  organisation: required(organisationCode),
  status: optional(choice(supplierStatuses)),
  documentRoot: optional(documentPath),
})

const register =
  ({ importSuppliers }: SupplierPorts) =>
  async (supplier: ImportSupplier): UseCaseResult<OperatorRefusal, ImportSupplier> => {
    const outcome = await importSuppliers.create(supplier)
    if (E.isLeft(outcome)) return outcome
    if (outcome.right === 'created') return E.right(supplier)
    return E.left(
      outcome.right === 'code_taken'
        ? { _tag: 'AlreadyExists', subject: 'import supplier', name: supplier.code }
        : { _tag: 'DoesNotExist', subject: 'organisation', name: supplier.organisation },
    )
  }

/** Codes may contain characters that paths may not: then `documentRoot` is required. */
const withUsableRoot =
  ({ settings: { markets } }: SupplierPorts) =>
  (supplier: ImportSupplier): Either<OperatorRefusal, ImportSupplier> => {
    const errors = settingsFaults(supplier.settings, markets)
    return errors.length === 0 ? E.right(supplier) : E.left({ _tag: 'InputNotValid', errors })
  }

export const supplierUseCases = (ports: SupplierPorts): SupplierUseCases => ({
  createSupplier: async (raw) => {
    const supplier = pipe(
      checkInput(ports)(input, raw),
      E.map(({ code, organisation, status, documentRoot }): ImportSupplier => ({
        organisation,
        code,
        status: status ?? 'ongoing',
        settings: {
          ...initialSettings(ports.settings.markets),
          documentRoot: documentRoot ?? defaultDocumentRoot({ organisation, code }),
        },
      })),
      E.flatMap(withUsableRoot(ports)),
    )
    if (E.isLeft(supplier)) return supplier
    return inSequence(
      () => withRootOfItsOwn(ports)(supplier.right),
      () => register(ports)(supplier.right),
    )
  },
  setSupplierStatus: async ({ code, status }) => {
    const statusInput = struct('status', { status: required(choice(supplierStatuses)) })
    const checkedStatus = checkInput(ports)(statusInput, { status })
    if (E.isLeft(checkedStatus)) return checkedStatus
    return inSequence(
      () => ports.importSuppliers.setStatus(code, checkedStatus.right.status),
      () => supplierByCode(ports, code),
    )
  },
  // All settings are checked before they are saved. If another change was saved in the meantime (optimistic check), this change
  // is applied again to the new settings, so that none is lost.
  configureSupplier: async ({ code, change }) => {
    for (let tries = 0; tries < maxTries; tries++) {
      const supplier = await supplierByCode(ports, code)
      if (E.isLeft(supplier)) return supplier
      const known = supplier.right.settings
      const settings = await checked(ports, supplier.right, change(known))
      if (E.isLeft(settings)) return settings
      const saved = await ports.importSuppliers.saveSettings(code, known, settings.right)
      if (E.isLeft(saved)) return saved
      if (saved.right === 'saved') return E.right({ ...supplier.right, settings: settings.right })
    }
    return E.left(gaveUp)
  },
  showSupplier: (code) => supplierByCode(ports, code),
  listSuppliers: () => ports.importSuppliers.listAll(),
  listReachingOthers: async () => pipe(await ports.importSuppliers.listAll(), E.map(reachingOthers)),
})

/** A document that an account names and that is not in the storage. */
export type MissingDocument = Readonly<{
  externalAccountNumber: string
  /** Undefined until the account is created. */
  platformAccountNumber: string | undefined
  /** As sent, relative to the supplier's document root. */
  path: string
}>

/** The findings about the next accounts: counts of accounts and references, and the missing documents. */
export type DocumentsChecked = Readonly<{
  accounts: number
  /** A document that two accounts name counts twice. */
  references: number
  missing: readonly MissingDocument[]
}>

type MissingPorts = Pick<Ports, 'importSuppliers' | 'documentReferences' | 'documents'>

const pageSize = 500

/** Documents in one call of the port, which takes half a minute at most. */
const batchSize = 1000

/** The keys that exist. Throws the failure of the storage, to end the iteration. */
const existingOf = async ({ documents }: MissingPorts, keys: readonly string[], organisation: string) => {
  const existing = new Set<string>()
  for (let begin = 0; begin < keys.length; begin += batchSize) {
    const found = foundIn(await documents.existing(keys.slice(begin, begin + batchSize), organisation))
    for (const key of found) existing.add(key)
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
  // A path without a key cannot have a document, so the storage is not called for it.
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
 * Checks every document that the supplier's data names, regardless of its settings. Before this answers, it checks that the
 * storage is ready and reads the first page, so that a port that fails at once is a Left.
 */
export const missingDocuments =
  (ports: MissingPorts) =>
  async (code: string): UseCaseResult<OperatorRefusal, AsyncIterable<DocumentsChecked>> => {
    const supplier = await supplierByCode(ports, code)
    if (E.isLeft(supplier)) return supplier
    const pageOfSupplier = pageAfter(ports, supplier.right)
    return pipe(
      await inSequence(
        () => ports.documents.ready(),
        () => pageOfSupplier(),
      ),
      E.map((first) =>
        mapped(pagesOf(pageOfSupplier, pageSize, first), (page) =>
          checkPage(ports, supplier.right, foundIn(page)),
        ),
      ),
    )
  }
