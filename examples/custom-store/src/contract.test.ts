import { aFullAccount, storeCases } from '@account-import/core/contract-tests'
import type { AccountKey, StorePorts } from '@account-import/core'
import { deepEqual, equal } from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openFileStores } from './file-stores.js'

const folder = await mkdtemp(join(tmpdir(), 'custom-store-'))
const path = join(folder, 'accounts.jsonl')
let opened = await openFileStores(path)
after(async () => {
  await opened.close()
  await rm(folder, { recursive: true })
})

for (const { port, title, run } of storeCases) void test(`${port}: ${title}`, () => run(opened.stores))

/** All data of the stores about one supplier, and all that belongs to none. */
const everything = async ({ stores }: Readonly<{ stores: StorePorts }>, key: AccountKey) => {
  const list = { ...key, after: undefined, limit: 100 }
  return Promise.all([
    stores.organisations.list()(),
    stores.importSuppliers.list()(),
    stores.operationsTeams.list()(),
    stores.apiKeys.list()(),
    stores.accounts.find(key)(),
    stores.accountImports.find(key)(),
    stores.accountImports.staged(key)(),
    stores.outbox.page({ ...list, list: undefined })(),
    stores.documentReferences.page(list)(),
  ])
}

const key: AccountKey = { organisation: 'O', importSupplier: 'S', externalAccountNumber: '1' }

void test('what was answered is there after a restart, equal to the letter', async () => {
  const account = aFullAccount(key)
  const at = account.createdAt
  const email = { ...account, id: 'E', language: 'es', enqueuedAt: at }
  await opened.stores.accountImports.stage([{ key, payload: '{"notes":[]}', at }])()
  await opened.stores.unitOfWork.run(({ accounts }) => accounts.create([account]))()
  await opened.stores.outbox.enqueue([email])()
  const told = await everything(opened, key)
  deepEqual(told[4], { _tag: 'Right', right: account })
  await opened.close()
  opened = await openFileStores(path)
  deepEqual(await everything(opened, key), told)
})

void test('a line that a crash cut off is as if it had never been', async () => {
  const told = await everything(opened, key)
  await opened.close()
  await appendFile(path, '[["teams","cut off","cut')
  opened = await openFileStores(path)
  deepEqual(await everything(opened, key), told)
  equal((await readFile(path, 'utf8')).includes('cut off'), false)
})
