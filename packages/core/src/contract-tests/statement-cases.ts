import type { AccountStatement } from '../domain/account-details.js'
import type { AccountKey } from '../domain/account-import.js'
import type { StorePorts } from '../ports/index.js'
import { toMoney } from '../values/decimal.js'
import { createdAccount, freshKey, onLocked } from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'
import { aFullAccount } from './full-account.js'

const aStatement = (statement_id: string): AccountStatement => ({
  bill_period_from_date: '2024-01-01',
  bill_period_to_date: '2024-01-31',
  statement_id,
})

const full: AccountStatement = {
  ...aStatement('H-1'),
  statement_path: 'statements/é 1.pdf',
  issued_date: '2024-02-05',
  number: 'F24-000001 🔌',
  gross_amount: toMoney('-1234567890.12'),
}

const add = (ports: StorePorts, key: AccountKey, statements: readonly AccountStatement[]) =>
  onLocked(ports, key, (account, { accountStatements }) => accountStatements.add(account, statements))

const existing = async (ports: StorePorts, key: AccountKey, ids: readonly string[]) => {
  const found = await right(
    onLocked(ports, key, (account, { accountStatements }) => accountStatements.existingIds(account, ids)),
  )
  return [...found].sort()
}

const stored = async (ports: StorePorts, key: AccountKey) =>
  (await right(ports.accounts.find(key)))?.details.statements

/** Statements that are added to accounts. */
export const statementCases = casesOf<StorePorts>('AccountStatements', {
  'statements are added after those that are there, in order, and come back equal': async (ports) => {
    const account = aFullAccount(await freshKey(ports))
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create([account])))
    await right(add(ports, account.key, [full, aStatement('H-2')]))
    await right(add(ports, account.key, []))
    await right(add(ports, account.key, [aStatement('H-0')]))
    equal(await stored(ports, account.key), [
      ...account.details.statements,
      full,
      aStatement('H-2'),
      aStatement('H-0'),
    ])
  },
  "ids are compared exactly, the payload's count, and another account's do not": async (ports) => {
    const account = aFullAccount(await freshKey(ports))
    await right(ports.unitOfWork.run(({ accounts }) => accounts.create([account])))
    const { key } = await createdAccount(ports)
    await right(add(ports, account.key, [aStatement('é'), aStatement('x ')]))
    const ids = ['S-1', 's-1', 'é', 'e\u0301', 'x', 'x ', 'none']
    equal(await existing(ports, account.key, ids), ['S-1', 'x ', 'é'])
    equal(await existing(ports, account.key, []), [])
    equal(await existing(ports, key, ids), [])
    const alike = ['e\u0301', 'X ', 'x', ' x'].map(aStatement)
    await right(add(ports, account.key, alike))
  },
  'an id that is there already is a failure that adds nothing: the store itself guards against repeats':
    async (ports) => {
      const account = aFullAccount(await freshKey(ports))
      await right(ports.unitOfWork.run(({ accounts }) => accounts.create([account])))
      await right(add(ports, account.key, [full]))
      const before = await stored(ports, account.key)
      for (const id of ['H-1', 'S-1']) {
        const failure = await left(add(ports, account.key, [aStatement('bystander'), aStatement(id)]))
        equal(failure._tag, 'PortFailure')
        equal(await stored(ports, account.key), before)
      }
      const twice = await left(add(ports, account.key, [aStatement('twice'), aStatement('twice')]))
      equal([twice._tag, await stored(ports, account.key)], ['PortFailure', before])
    },
})
