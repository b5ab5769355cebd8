import type { StorePorts } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'
import test, { type ExecutionContext } from 'ava'
import { startGalera, until, type Galera } from '../servers/index.js'
import { withAccount } from '../sql/support/created-account.js'
import { now } from '../sql/support/imports.js'
import { answer } from '../support/answers.js'
import { addition, kindsOfAdditions } from './nodes/addition.js'
import { migratedNodes, outcome, useCasesOn, type Opened } from './nodes/opened-nodes.js'

let galera: Galera

test.before('start Galera', async () => {
  galera = await startGalera(3)
})
test.after.always('stop Galera', () => galera?.stop())

type Query = Readonly<{ sql: string }>
type Client = { _query(connection: unknown, query: Query): Promise<unknown> }

/** Keeps back who comes first until it is let go. */
const gate = (t: ExecutionContext) => {
  let isHeld = false
  let letGo = (): void => undefined
  const gone = new Promise<void>((resolve) => (letGo = resolve))
  t.teardown(() => letGo())
  return {
    pass: async (): Promise<void> => {
      if (isHeld) return
      isHeld = true
      await gone
    },
    held: () => until(async () => isHeld, 'somebody is held'),
    letGo: () => letGo(),
  }
}

type Gate = ReturnType<typeof gate>

/** Commits of this server, but those of units of work, pass the gate. */
const holdCommits = ({ knex }: Opened, { pass }: Gate): void => {
  const client = knex.client as Client
  const send = client._query.bind(client)
  client._query = async (connection, query) => {
    if (query.sql.startsWith('COMMIT')) await pass()
    return send(connection, query)
  }
}

/** Whoever adds passes the gate after its last statement, before it commits. */
const holdAdditions = ({ ports, ...opened }: Opened, { pass }: Gate): Opened => {
  const unitOfWork: StorePorts['unitOfWork'] = {
    run: (work) =>
      ports.unitOfWork.run((stores) =>
        work({
          ...stores,
          auditTrail: {
            record: (entries) =>
              pipe(
                stores.auditTrail.record(entries),
                TE.tap(() => TE.fromTask(pass)),
              ),
          },
        }),
      ),
  }
  return { ...opened, ports: { ...ports, unitOfWork } }
}

const emptied = ['notes', 'statements', 'payment_instructions', 'encrypted_details']

/** What is left of the account after it was erased. */
const left = async ({ knex }: Opened, organisation: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const table of emptied) {
    const [{ count } = { count: 0 }] = (await knex(table).where({ organisation }).count({ count: '*' })) as {
      count: number
    }[]
    counts[table] = Number(count)
  }
  const [{ count } = { count: 0 }] = (await knex('transactions')
    .where({ organisation })
    .whereNotNull('reason')
    .count({ count: '*' })) as { count: number }[]
  return { ...counts, 'texts of transactions': Number(count) }
}

const nothing = {
  notes: 0,
  statements: 0,
  payment_instructions: 0,
  encrypted_details: 0,
  'texts of transactions': 0,
}

/** Two nodes, of which the first adds to an account that the second erases. */
const begun = async (t: ExecutionContext) => {
  const [first, second] = await migratedNodes(t, galera)
  const service = await withAccount(first.ports, { notes: [] })
  const { organisation, supplier: importSupplier } = service
  return {
    first,
    second,
    add: (node: Opened, kind: number) =>
      outcome(addition({ ...service, useCases: useCasesOn(node) }, kind).send),
    erase: async () => {
      const key = { organisation, importSupplier, externalAccountNumber: 'A-1' }
      return (await answer(second.ports.personalData.erase(key, now())))._tag
    },
    left: () => left(second, organisation),
  }
}

for (const [kind, what] of kindsOfAdditions.entries()) {
  test.serial(`${what} that one node adds while another erases the account is erased too`, async (t) => {
    const { first, second, add, erase, left } = await begun(t)
    const commits = gate(t)
    holdCommits(second, commits)
    const erased = erase()
    await commits.held()
    t.is(await add(first, kind), 'done')
    commits.letGo()
    t.is(await erased, 'erased')
    t.deepEqual(await left(), nothing)
  })

  test.serial(`${what} is refused where another node erased the account before it was added`, async (t) => {
    const { first, add, erase, left } = await begun(t)
    const additions = gate(t)
    const added = add(holdAdditions(first, additions), kind)
    await additions.held()
    t.is(await erase(), 'erased')
    additions.letGo()
    t.regex(await added, /^AccountNotFound/)
    t.deepEqual(await left(), nothing)
  })
}
