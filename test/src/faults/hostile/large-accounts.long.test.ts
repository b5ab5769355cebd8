import { endpoints } from '@account-import/http-contract'
import test from 'ava'
import { largest, numberOf, unlimited, withLargeAccounts } from './large-accounts.js'

type Server = Parameters<Parameters<typeof withLargeAccounts>[2]>[0]

/** The numbers of all accounts with digests, page by page. */
const digested = async ({ api, token, supplier }: Server): Promise<readonly string[]> => {
  const numbers: string[] = []
  for (let path = `/v1/data-import/account-digests/${supplier}/`; path !== '';) {
    const { status, text, headers } = await api.get(path, token)
    if (status !== 200) throw new Error(`${status} ${text}`)
    for (const each of JSON.parse(text) as readonly { external_account_number: string }[])
      numbers.push(each.external_account_number)
    path = /<(.*)>/.exec(headers['link'] ?? '')?.[1] ?? ''
  }
  return numbers
}

const fieldsOf = async ({ api, token, supplier }: Server, index: number): Promise<number> => {
  const { status, text } = await api.get(
    `/v1/data-import/account-digest/${supplier}/${numberOf(index)}/`,
    token,
  )
  if (status !== 200) throw new Error(`${status} ${text}`)
  return (JSON.parse(text) as { fields: readonly unknown[] }).fields.length
}

const processed = async ({ api, token, supplier, team }: Server): Promise<readonly number[]> => {
  const request = { import_supplier_code: supplier, operations_team_name: team }
  const { text } = await api.post(endpoints.bulkProcess.path, token, request)
  const lines = text.trim().split('\n').slice(0, -1)
  return lines.map((line) => (JSON.parse(line) as { status: number }).status)
}

for (const [name, kind, count, outcome] of [
  ['accounts of the largest size', largest, 12, 201],
  ['accounts from before the limit of values', unlimited, 2, 400],
] as const)
  test.serial(
    `${count} ${name} are compared and created by a server with a heap of 384 MB that responds meanwhile`,
    async (t) => {
      t.timeout(1_200_000)
      const numbers = Array.from({ length: count }, (_, index) => numberOf(index))
      await withLargeAccounts(kind, count, async (server) => {
        const work = {
          fields: () => Promise.all(Array.from({ length: 6 }, (_, index) => fieldsOf(server, index % 2))),
          staged: () => digested(server),
          processed: () => processed(server),
          created: () => digested(server),
        }
        const results: Partial<Record<keyof typeof work, readonly unknown[]>> = {}
        for (const [step, does] of Object.entries(work) as [keyof typeof work, () => Promise<unknown[]>][]) {
          const { result, figures } = await server.watched(does)
          t.log(step, JSON.stringify(figures))
          results[step] = result
          t.true(figures.asked > 1 && figures.peak < 800, step)
        }
        t.true(results.fields?.every((fields) => Number(fields) > 0 && Number(fields) <= 20_000))
        t.deepEqual([results.staged, results.created], [numbers, numbers])
        t.deepEqual(new Set(results.processed), new Set([outcome]))
        t.is((await server.command(['verify'])).code, 0)
      })
    },
  )
