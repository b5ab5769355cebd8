import type { SupplierSettings } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { testDatabases, type Opened } from './support/databases.js'
import { statementsOf } from './support/statements-of.js'

const { onEach, onMariaDb } = testDatabases()

/** A server process, as clients and its operator see it. */
const serverOf = ({ ports }: Opened) => makeUseCases(inMemoryPorts(ports))

type Server = ReturnType<typeof serverOf>
type Owner = Awaited<ReturnType<typeof setUp>>

const stage = async (server: Server, { organisation, supplier }: Owner, number: string): Promise<string> => {
  const staged = await server.stageAccount({ organisation, payload: gasAccount(supplier, number) })
  return staged._tag === 'Right' ? staged.right.outcome : staged.left._tag
}

/** The forecast of a validation, and its warnings. */
const validate = async (server: Server, { organisation, supplier }: Owner, number: string) => {
  const validated = await server.validateAccount({ organisation, payload: gasAccount(supplier, number) })
  return validated._tag === 'Right'
    ? [validated.right.staging, ...validated.right.warnings.map(({ code }) => code)]
    : [validated.left._tag]
}

const process = async (server: Server, owner: Owner, number: string): Promise<string> => {
  const payload = {
    import_supplier_code: owner.supplier,
    operations_team_name: owner.team,
    external_account_number: number,
  }
  const processed = await server.processAccount({ organisation: owner.organisation, payload })
  return processed._tag === 'Right' ? 'created' : processed.left._tag
}

onMariaDb('a lone validation, staging or creation is one statement', async (t, { open }) => {
  const opened = open()
  const server = serverOf(opened)
  const owner = await setUp(server.operator)
  /** The fewest of several tries: what was read is remembered for a second, which a busy machine may take for one. */
  const fewest = async (work: (number: string) => Promise<unknown>): Promise<readonly string[]> => {
    let least: readonly string[] = []
    for (let number = 0; number < 20 && least.length !== 1; number += 1)
      least = await statementsOf(opened, () => work(`A-${number}`))
    return least
  }
  t.deepEqual(await fewest((number) => validate(server, owner, number)), ['SELECT'])
  t.deepEqual(await fewest((number) => stage(server, owner, number)), ['INSERT'])
  t.deepEqual(await fewest(() => stage(server, owner, 'A-0')), ['INSERT'])
  for (let number = 0; number < 20; number += 1) await stage(server, owner, `A-${number}`)
  t.deepEqual(await fewest((number) => process(server, owner, number)), ['UPDATE'])
})

onEach(
  'a change of a supplier or of a team holds at once on a server that has just read it',
  async (t, { open }) => {
    const [one, other] = [serverOf(open()), serverOf(open())]
    const owner = await setUp(one.operator)
    const { organisation, supplier, team } = owner
    for (const number of ['A', 'B', 'C', 'D']) t.is(await stage(one, owner, number), 'created')
    t.is(await process(one, owner, 'A'), 'created')

    await answer(other.operator.setSupplierStatus({ code: supplier, status: 'paused' }))
    const notOngoing = 'import_supplier_migration_not_ongoing'
    t.deepEqual(await validate(one, owner, 'E'), [notOngoing, notOngoing])
    t.is(await stage(one, owner, 'E'), 'SupplierNotOngoing')
    t.is(await process(one, owner, 'B'), 'SupplierNotOngoing')
    await answer(other.operator.setSupplierStatus({ code: supplier, status: 'ongoing' }))
    t.deepEqual(await validate(one, owner, 'B'), ['replaced'])
    t.deepEqual(await validate(one, owner, 'E'), ['created'])
    t.is(await stage(one, owner, 'B'), 'replaced')
    t.is(await process(one, owner, 'B'), 'created')

    const elsewhere = await setUp(other.operator)
    await answer(other.operator.bindTeam({ name: team, organisation: elsewhere.organisation }))
    t.is(await process(one, owner, 'C'), 'OperationsTeamDoesNotExist')
    await answer(other.operator.bindTeam({ name: team, organisation }))
    t.is(await process(one, owner, 'C'), 'created')

    t.is(await stage(one, owner, 'E'), 'created')
    const change = (settings: SupplierSettings) => ({ ...settings, retentionDays: 30 })
    await answer(other.operator.configureSupplier({ code: supplier, change }))
    // The data was valid by other settings: it is validated again, and created.
    t.is(await process(one, owner, 'D'), 'created')
    t.is(await stage(one, owner, 'F'), 'created')
    t.is(await process(one, owner, 'F'), 'created')
    t.is(await process(one, owner, 'F'), 'AccountAlreadyImported')
    t.is((await validate(one, owner, 'F'))[0], 'account_already_imported')
    t.is(await process(one, owner, 'unknown'), 'NothingStaged')
  },
)
