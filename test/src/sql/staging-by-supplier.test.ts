import { builtInSettings } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { keyOf, stagingOf } from './support/imports.js'
import { statementsOf } from './support/statements-of.js'

const { onMariaDb } = testDatabases()

/** What supplier LEVANTE has as its revision, once it is made. */
const aRevision = async ({ ports: { organisations, importSuppliers } }: Opened): Promise<string> => {
  const [organisation, code] = ['ACME', 'LEVANTE']
  await answer(
    organisations.create({
      code: organisation,
      name: 'Acme',
      createdAt: stagingOf('').at,
      disabledAt: undefined,
    }),
  )
  await answer(importSuppliers.create({ code, organisation, status: 'ongoing', settings: builtInSettings }))
  return (await answer(importSuppliers.find(organisation, code)))?.revision ?? ''
}

onMariaDb('a staging alone that hangs on its supplier is one statement too', async (t, { open }) => {
  const opened = open()
  const { accountImports, importSuppliers } = opened.ports
  const supplierRevision = await aRevision(opened)
  const stage = (...list: readonly string[]) =>
    statementsOf(opened, () =>
      answer(accountImports.stage(list.map((number) => ({ ...stagingOf(number), supplierRevision })))),
    )
  t.deepEqual(await stage('A'), ['INSERT'])
  t.deepEqual(await stage('A'), ['INSERT'])
  t.deepEqual(await stage('B', 'C'), ['BEGIN', 'SELECT', 'INSERT', 'COMMIT'])
  await answer(accountImports.setSkipped(keyOf('A'), true, stagingOf('').at))
  t.deepEqual(await stage('A'), ['INSERT', 'SELECT'])
  await answer(importSuppliers.setStatus('LEVANTE', 'paused'))
  t.deepEqual(await stage('A'), ['INSERT'])
  t.deepEqual(await stage('B', 'C'), ['BEGIN', 'SELECT', 'COMMIT'])
})

onMariaDb(
  'staging neither waits for who is changing its supplier, nor lets them wait',
  async (t, { open }) => {
    const [{ ports, retries }, other] = [open(), open()]
    const supplierRevision = await aRevision({ ...other, ports })
    const stage = async (...list: readonly string[]) =>
      (
        await answer(
          ports.accountImports.stage(list.map((number) => ({ ...stagingOf(number), supplierRevision }))),
        )
      ).map(({ _tag }) => _tag)
    const change = await other.knex.transaction()
    await change('import_suppliers').where({ code: 'LEVANTE' }).update({ status: 'paused' })
    t.deepEqual([await stage('A'), await stage('B', 'C')], [['created'], ['created', 'created']])
    await change.commit()
    t.deepEqual(await stage('A'), ['supplier_changed'])
    await answer(ports.importSuppliers.setStatus('LEVANTE', 'ongoing'))
    const whileChanged = ports.unitOfWork.run(({ accountImports }) =>
      pipe(
        accountImports.stage([{ ...stagingOf('D'), supplierRevision }]),
        TE.bindTo('outcomes'),
        TE.bind('isChanged', () => other.ports.importSuppliers.setStatus('LEVANTE', 'paused')),
      ),
    )
    const { outcomes, isChanged } = await answer(whileChanged)
    t.deepEqual([outcomes, isChanged], [[{ _tag: 'created', version: 1 }], true])
    t.deepEqual([...retries, ...other.retries], [])
  },
)
