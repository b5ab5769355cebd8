import { type FoundSupplier, portFailure, type Ports, type UseCases } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { failing } from '@account-import/core/in-memory'
import test from 'ava'
import {
  changed,
  configuring,
  gasKey,
  left,
  organisation,
  pausing,
  processGas,
  processing,
  right,
  sample,
  service,
  staging,
} from './support/service.js'

const strict = { closedLists: { sales_channel: { members: ['BROKER'], severity: 'error' } } } as const

type Changed = Readonly<{ accounts?: Ports['accounts']; usable?: boolean }>

/** A service that has just read the supplier and the team, and whose store checks them. */
const justRead = async ({ usable = true, ...others }: Changed = {}) => {
  const { ports, useCases: operator } = await service()
  const found = await right(ports.importSuppliers.find(organisation, 'LEVANTE'))
  const reads: string[] = []
  const isCurrent = async (revision: string | undefined): Promise<boolean> => {
    if (revision === undefined) return true
    const now = await right(ports.importSuppliers.find(organisation, 'LEVANTE'))
    return now?.status === 'ongoing' && now.revision === revision
  }
  const { importSuppliers, operationsTeams, accountImports } = ports
  const remembering = (recent: FoundSupplier | undefined): Ports => ({
    ...ports,
    ...others,
    importSuppliers: {
      ...importSuppliers,
      find: (...names) => {
        reads.push('supplier')
        return importSuppliers.find(...names)
      },
      recent: async () => E.right(recent),
    },
    operationsTeams: {
      ...operationsTeams,
      exists: (...names) => {
        reads.push('team')
        return operationsTeams.exists(...names)
      },
      recent: async () => E.right(usable),
    },
    accountImports: {
      ...accountImports,
      stage: async (stagings) =>
        (await isCurrent(stagings[0]?.supplierRevision))
          ? accountImports.stage(stagings)
          : E.right([{ _tag: 'not_current' }]),
      create: async (creations) =>
        (await isCurrent(creations[0]?.supplierRevision))
          ? accountImports.create(creations)
          : E.right([{ _tag: 'not_current' }]),
    },
  })
  return { operator, reads, found, remembering, useCases: makeUseCases(remembering(found)) }
}

test('what was just read of supplier and team is not read again to stage and to process', async (t) => {
  const { useCases, reads } = await justRead()
  t.is((await right(staging(useCases))).outcome, 'created')
  t.truthy(await right(processing(useCases)))
  t.is((await left(processing(useCases)))._tag, 'AccountAlreadyImported')
  t.deepEqual(reads, [])
})

test('an account is validated by one read where its supplier is current, and by two where the store does not say so', async (t) => {
  const { reads, found, remembering } = await justRead()
  const asked: string[] = []
  const answering = (answer: 'current' | 'changed' | 'away' | 'forgotten') => {
    const ports = remembering(answer === 'forgotten' ? undefined : found)
    return makeUseCases(
      changed(ports, 'accountImports', {
        findOfCurrent: async (key) => {
          asked.push(answer)
          if (answer === 'away')
            return E.left(portFailure('unavailable', 'accountImports', 'findOfCurrent', undefined))
          if (answer === 'changed') return E.right(undefined)
          const read = await ports.accountImports.find(key)
          return E.isLeft(read) ? read : E.right({ found: read.right })
        },
      }),
    )
  }
  const validated = async (useCases: UseCases) =>
    (await right(useCases.validateAccount({ organisation, payload: sample('gas-account') }))).staging
  t.is(await validated(answering('current')), 'created')
  t.deepEqual(reads, [])
  await right(staging(answering('current')))
  t.is(await validated(answering('current')), 'replaced')
  t.deepEqual(reads, [])
  t.is(await validated(answering('changed')), 'replaced')
  t.is(await validated(answering('away')), 'replaced')
  t.is(await validated(answering('forgotten')), 'replaced')
  t.deepEqual(asked, ['current', 'current', 'changed', 'away'])
  t.deepEqual(reads, ['supplier', 'supplier', 'supplier'])
})

test('a supplier that was paused since refuses staging and processing', async (t) => {
  const { operator, useCases } = await justRead()
  await right(staging(useCases))
  await right(pausing(operator))
  t.is((await left(staging(useCases)))._tag, 'SupplierNotOngoing')
  t.is((await left(processing(useCases)))._tag, 'SupplierNotOngoing')
})

test('an account is validated by the settings of now, whatever they were a moment ago', async (t) => {
  const { operator, reads, remembering, useCases } = await justRead()
  await right(staging(useCases))
  await right(configuring(operator, strict))
  t.is((await left(staging(useCases)))._tag, 'AccountFailedValidation')
  const now = await right(remembering(undefined).importSuppliers.find(organisation, 'LEVANTE'))
  const ofStrict = makeUseCases(remembering(now))
  reads.length = 0
  t.is((await left(staging(ofStrict)))._tag, 'AccountFailedValidation')
  t.deepEqual(reads, ['supplier'])
  t.is((await left(processing(ofStrict)))._tag, 'AccountFailedValidation')
  await right(configuring(operator, { closedLists: {} }))
  t.is((await right(staging(ofStrict))).outcome, 'replaced')
  // The staged data was valid by other rules than those of a moment ago, and those of now.
  t.truthy(await right(processing(ofStrict)))
})

test('a refusal by a supplier of a moment ago is not answered where the supplier cannot be read, or is gone', async (t) => {
  const { found, remembering } = await justRead()
  const ports = remembering(found)
  const refused = { account_type: 'nonsense' }
  const failed = makeUseCases({ ...ports, importSuppliers: failing(ports.importSuppliers, 'find') })
  t.is((await left(staging(failed, refused)))._tag, 'PortFailure')
  t.is((await right(staging(failed))).outcome, 'created')
  const gone = changed(ports, 'importSuppliers', { find: async () => E.right(undefined) })
  t.is((await left(staging(makeUseCases(gone), refused)))._tag, 'AccountFailedValidation')
})

test('where nothing was read a moment ago, or that was not usable, supplier and team are read', async (t) => {
  const { found, reads, remembering } = await justRead()
  const unknown = makeUseCases(remembering(undefined))
  t.is((await right(staging(unknown))).outcome, 'created')
  t.deepEqual(reads, ['supplier'])
  const ports = remembering(found)
  const importSuppliers = failing(ports.importSuppliers as Required<Ports['importSuppliers']>, 'recent')
  const forgetful = makeUseCases({ ...ports, importSuppliers })
  t.is((await right(staging(forgetful))).outcome, 'replaced')
  t.truthy(await right(processing(forgetful)))
  const noTeam = await justRead({ usable: false })
  await right(staging(noTeam.useCases))
  t.truthy(await right(processing(noTeam.useCases)))
  t.deepEqual(noTeam.reads.toSorted(), ['supplier', 'team'])
})

test('requests that are refused, dry runs and accounts that somebody reads are processed by what is read', async (t) => {
  const { useCases, reads, found, remembering } = await justRead()
  t.is((await left(processing(useCases)))._tag, 'NothingStaged')
  await right(staging(useCases))
  t.is((await left(processing(useCases, { dry_run: true })))._tag, 'DryRunSucceeded')
  t.is((await left(processing(useCases, { dry_run: 'no' })))._tag, 'RequestFailedValidation')
  const payload = { external_account_number: processGas.external_account_number }
  t.is((await left(useCases.processAccount({ organisation, payload })))._tag, 'RequestFailedValidation')
  t.is((await left(useCases.stageAccount({ organisation, payload })))._tag, 'AccountFailedValidation')
  t.deepEqual(reads.slice(0, 2).toSorted(), ['supplier', 'team'])
  const read = reads.length
  const ports = remembering(found)
  const withReader = makeUseCases(changed(ports, 'accounts', { create: async () => E.right(undefined) }))
  t.truthy(await right(processing(withReader)))
  t.is(reads.length, read + 2)
  t.is((await right(ports.accountImports.find(gasKey)))?.attempts, 1)
  const eMails = found && { ...found, settings: { ...found.settings, migrationEmails: true } }
  t.is((await left(processing(makeUseCases(remembering(eMails)))))._tag, 'AccountAlreadyImported')
  t.is(reads.length, read + 4)
})
