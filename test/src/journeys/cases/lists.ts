import type { Client } from '@account-import/client'
import type { AccountImportList } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import type { ListedImport } from '@account-import/http-contract'
import { answer } from '../../support/answers.js'
import type { Journey } from '../support/journey.js'
import { successOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'
import { tokenOf } from '../support/token-of.js'

const pathOf = (list: AccountImportList, supplier: string): string =>
  `/v1/data-import/${list}-account-import-processes/${supplier}/`

const lists = ['all', 'pending', 'imported'] as const

const whole = async (client: Client, importSupplier: string, list: AccountImportList) =>
  successOf(await client.listAccountImports({ importSupplier, list })).body

const paged = async (client: Client, importSupplier: string, list: AccountImportList, limit: number) => {
  const pages: (readonly ListedImport[])[] = []
  for await (const page of client.accountImportPages({ importSupplier, list, limit }))
    pages.push(successOf(page).body)
  return pages
}

const mixed = ['b', 'B', 'a', 'á', '10', '9', 'z', '🔌', 'Z', '\uffee', 'aa', 'a/'] as const
const staged = (number: string): ListedImport => ({
  external_account_number: number,
  platform_account_number: null,
  account_created_at: null,
})

const orderAndContent: Journey = {
  title: 'lists are in code point order, hold what they should, and are the same whole and in pages',
  run: async (t, open) => {
    const { client, supplier, process, operator, stores, key } = await open()
    for (const number of mixed) await client.stageAccount(gasAccount(supplier, number))
    const created = new Map<string, ListedImport>()
    for (const number of ['B', '🔌', '9']) {
      const { platform_account_number } = successOf(await process(number)).body
      const account = await answer(stores.accounts.find(key(number)))
      const account_created_at = `${account?.createdAt.slice(0, 19)}Z`
      created.set(number, { external_account_number: number, platform_account_number, account_created_at })
    }
    await answer(operator.setSkipped({ importSupplier: supplier, externalAccountNumber: 'a', skipped: true }))
    await answer(
      operator.setSkipped({ importSupplier: supplier, externalAccountNumber: 'only skipped', skipped: true }),
    )
    const sorted = [...mixed].sort(compareCodePoints)
    const expected = {
      all: sorted.map((number) => created.get(number) ?? staged(number)),
      pending: sorted.filter((number) => !created.has(number) && number !== 'a').map(staged),
      imported: sorted.flatMap((number) => created.get(number) ?? []),
    }
    for (const list of lists) {
      t.deepEqual(await whole(client, supplier, list), expected[list], list)
      for (const limit of [1, 3, expected[list].length, 1000]) {
        const pages = await paged(client, supplier, list, limit)
        t.deepEqual(pages.flat(), expected[list], `${list} by ${limit}`)
        t.is(
          pages.length,
          Math.ceil(expected[list].length / limit),
          `${list} by ${limit}: no empty last page`,
        )
      }
    }
  },
}

const wholeText: Journey = {
  title: 'the text of a whole list is the same on every backend; an empty list is []',
  run: async (t, open) => {
    const { client, supplier, raw, apiKey } = await open()
    const token = await tokenOf(raw, apiKey)
    for (const list of lists) {
      const empty = await raw.get(pathOf(list, supplier), token)
      t.deepEqual([empty.status, empty.text], [200, '[]'])
    }
    for (const number of ['b', 'a']) await client.stageAccount(gasAccount(supplier, number))
    const line = (number: string): string =>
      `{"external_account_number":"${number}","platform_account_number":null,"account_created_at":null}`
    const { text, headers } = await raw.get(pathOf('all', supplier), token)
    t.is(text, `[\n${line('a')},\n${line('b')}\n]`)
    t.is(headers['link'], undefined)
  },
}

const wrongPages: Journey = {
  title: 'a wrong limit or cursor is a validation entry on it',
  run: async (t, open) => {
    const { supplier, raw, apiKey } = await open()
    const token = await tokenOf(raw, apiKey)
    const wrong = [
      ['limit=0', 'limit min_value'],
      ['limit=1001', 'limit max_value'],
      ['limit=ten', 'limit invalid'],
      ['limit=5&cursor=%25', 'cursor invalid'],
    ] as const
    for (const [query, entry] of wrong) {
      const { status, text } = await raw.get(`${pathOf('all', supplier)}?${query}`, token)
      const { code, errors } = JSON.parse(text) as { code: string; errors: { attr: string; code: string }[] }
      t.deepEqual([status, code], [400, 'request_failed_validation'], query)
      t.deepEqual(
        errors.map((each) => `${each.attr} ${each.code}`),
        [entry],
      )
    }
  },
}

export const listJourneys: readonly Journey[] = [orderAndContent, wholeText, wrongPages]
