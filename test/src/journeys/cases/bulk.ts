import { gzipSync } from 'node:zlib'
import { exchangeBulk, inShort, type BulkAnswer, type BulkName } from '../../support/bulk-exchange.js'
import { gasAccount, type JsonObject } from '../../support/samples.js'
import type { Journey } from '../support/journey.js'
import { tokenOf } from '../support/token-of.js'
import type { World } from '../support/world.js'

const ndjson = (lines: readonly (JsonObject | string)[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')

const send = async (
  { baseUrl, raw, apiKey }: World,
  name: BulkName,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<BulkAnswer> => exchangeBulk(name, { baseUrl, token: await tokenOf(raw, apiKey), headers }, body)

/** Good and bad lines of one supplier, and what staging them for the first time answers. */
const mixed = (supplier: string): Readonly<{ body: string; staged: readonly string[] }> => {
  const lines = [
    gasAccount(supplier, 'A'),
    '',
    gasAccount(supplier, 'B'),
    '{"not": json',
    '  \t\r',
    { ...gasAccount(supplier, 'C'), account_type: 'CASTLE' },
    gasAccount('NOBODY', 'D'),
    gasAccount(supplier, 'A'),
    '[]',
    `${'['.repeat(33)}${']'.repeat(33)}`,
    `${JSON.stringify(gasAccount(supplier, 'E'))}\r`,
  ]
  const failed = 'account_failed_validation'
  return {
    body: ndjson(lines),
    staged: [
      '1 201',
      '3 201',
      '4 400 parse_error',
      `6 400 ${failed}`,
      `7 400 ${failed}`,
      '8 200',
      `9 400 ${failed}`,
      '10 400 payload_too_deep',
      '11 201',
    ],
  }
}

const mixedLines: Journey = {
  title: 'bulk staging answers a line for each line in order, fails bad ones alone, and counts',
  run: async (t, open) => {
    const world = await open()
    const { body, staged } = mixed(world.supplier)
    const first = await send(world, 'bulkStage', body)
    t.deepEqual([first.status, first.type], [200, 'application/x-ndjson'])
    t.deepEqual(first.results.map(inShort), staged)
    t.deepEqual(first.summary, { received: 9, created: 3, updated: 1, failed: 5 })
    t.deepEqual(
      first.results.map(({ external_account_number }) => external_account_number),
      ['A', 'B', undefined, 'C', 'D', 'A', undefined, undefined, 'E'],
    )
    const again = await send(world, 'bulkStage', gzipSync(`${body}\n`), { 'Content-Encoding': 'gzip' })
    t.deepEqual(
      again.results.map(inShort),
      staged.map((line) => line.replace('201', '200')),
    )
    t.deepEqual(again.summary, { received: 9, created: 0, updated: 4, failed: 5 })
    const validated = await send(world, 'bulkValidate', body)
    t.deepEqual(
      validated.results.map(inShort),
      staged.map((line) => line.replace('201', '200')),
    )
    t.deepEqual(validated.summary, { received: 9, valid: 4, failed: 5 })
  },
}

const lastOneCounts: Journey = {
  title: 'of many lines with one account number the last one counts',
  run: async (t, open) => {
    const world = await open()
    const versions = Array.from({ length: 200 }, (_, index) => ({
      ...gasAccount(world.supplier, index % 3 === 0 ? 'SAME' : `N-${index}`),
      sales_channel: `CHANNEL-${index}`,
    }))
    const { summary } = await send(world, 'bulkStage', ndjson(versions))
    t.deepEqual(summary, { received: 200, created: 134, updated: 66, failed: 0 })
    const staged = await world.stores.accountImports.staged(world.key('SAME'))()
    t.true(staged._tag === 'Right' && staged.right?.payload.includes('"CHANNEL-198"'))
    t.is(staged._tag === 'Right' ? staged.right?.version : undefined, 67)
  },
}

const named = (numbers: readonly string[], { supplier, team }: World, changed: JsonObject = {}): string =>
  JSON.stringify({
    import_supplier_code: supplier,
    operations_team_name: team,
    external_account_numbers: numbers,
    ...changed,
  })

const namedAccounts: Journey = {
  title: 'bulk processing of named accounts answers a line for each, once, with its number or its refusal',
  run: async (t, open) => {
    const world = await open()
    const { stores, key, supplier } = world
    await send(world, 'bulkStage', ndjson(['A', 'B', 'C'].map((number) => gasAccount(supplier, number))))
    const dry = await send(world, 'bulkProcess', named(['A', 'nobody'], world, { dry_run: true }))
    t.deepEqual(dry.results.map(inShort), ['1 200', '2 400 import_process_does_not_exist'])
    t.deepEqual(dry.summary, { received: 2, valid: 1, failed: 1 })
    const { results, summary } = await send(world, 'bulkProcess', named(['B', 'nobody', 'A', 'B'], world))
    t.deepEqual(results.map(inShort), ['1 201', '2 400 import_process_does_not_exist', '3 201'])
    t.deepEqual(summary, { received: 3, created: 2, failed: 1 })
    const account = await stores.accounts.find(key('B'))()
    t.is(
      results[0]?.platform_account_number,
      account._tag === 'Right' ? account.right?.platformAccountNumber : undefined,
    )
    const again = await send(world, 'bulkProcess', named(['A', 'C'], world))
    t.deepEqual(again.results.map(inShort), ['1 400 account_already_imported', '2 201'])
    t.is(again.results[0]?.error?.platform_account_number, results[2]?.platform_account_number)
  },
}

const allStaged: Journey = {
  title: 'bulk processing without a list creates all that is staged, the oldest first, and can be run again',
  run: async (t, open) => {
    const world = await open()
    const { client, clock, operator, supplier, team } = world
    for (const number of ['C', 'A', 'B']) {
      await client.stageAccount(gasAccount(supplier, number))
      clock.advance(1)
    }
    await client.stageAccount(gasAccount(supplier, 'C'))
    await operator.setSkipped({ importSupplier: supplier, externalAccountNumber: 'A', skipped: true })()
    const body = JSON.stringify({ import_supplier_code: supplier, operations_team_name: team })
    const { results, summary } = await send(world, 'bulkProcess', body)
    t.deepEqual(
      results.map(({ line, external_account_number, status }) => [line, external_account_number, status]),
      [
        [1, 'C', 201],
        [2, 'B', 201],
      ],
    )
    t.deepEqual(summary, { received: 2, created: 2, failed: 0 })
    const again = await send(world, 'bulkProcess', body)
    t.deepEqual([again.results, again.summary], [[], { received: 0, created: 0, failed: 0 }])
  },
}

const refusedBefore: Journey = {
  title: 'what would refuse every account refuses a bulk request before its stream',
  run: async (t, open) => {
    const world = await open()
    const { baseUrl, operator, supplier } = world
    const inShortOf = async (name: BulkName, body: string, headers = {}) => {
      const { status, type } = await send(world, name, body, headers)
      return [status, (JSON.parse(type ?? '') as { code: string }).code]
    }
    const process = (changed: JsonObject) => inShortOf('bulkProcess', named([], world, changed))
    t.deepEqual(await process({ import_supplier_code: 'NOBODY' }), [400, 'request_failed_validation'])
    t.deepEqual(await process({ operations_team_name: 'Nobody' }), [
      400,
      'operations_team_name_does_not_exist',
    ])
    t.deepEqual(await process({ external_account_numbers: 'A' }), [400, 'request_failed_validation'])
    await operator.setSupplierStatus({ code: supplier, status: 'paused' })()
    t.deepEqual(await process({}), [400, 'import_supplier_migration_not_ongoing'])
    const json = { 'Content-Type': 'application/json' }
    t.deepEqual(await inShortOf('bulkStage', '{}', json), [415, 'unsupported_media_type'])
    t.deepEqual(await inShortOf('bulkStage', '{}', { Accept: 'text/html' }), [406, 'not_acceptable'])
    const refused = await exchangeBulk('bulkStage', { baseUrl, token: 'none' }, '{}')
    t.is(refused.status, 401)
    const paused = await send(world, 'bulkStage', JSON.stringify(gasAccount(supplier, 'A')))
    t.deepEqual(paused.results.map(inShort), ['1 400 import_supplier_migration_not_ongoing'])
  },
}

const summaryCounts: Journey = {
  title: 'the bulk summary of a supplier counts its imports by state; an unknown supplier has none',
  run: async (t, open) => {
    const world = await open()
    const { operator, supplier, raw, apiKey } = world
    await send(world, 'bulkStage', ndjson(['A', 'B', 'C'].map((number) => gasAccount(supplier, number))))
    await send(world, 'bulkProcess', named(['A'], world))
    await operator.setSkipped({ importSupplier: supplier, externalAccountNumber: 'B', skipped: true })()
    const token = await tokenOf(raw, apiKey)
    const ask = (code: string) => raw.get(`/v1/data-import/account-import-summary/${code}/`, token)
    const { status, text } = await ask(supplier)
    const counts = { total: 3, staged: 1, in_progress: 0, created: 1, skipped: 1, failed: 0, errors: [] }
    t.deepEqual([status, JSON.parse(text)], [200, counts])
    t.is((await ask('NOBODY')).status, 404)
  },
}

export const bulkJourneys: readonly Journey[] = [
  summaryCounts,
  mixedLines,
  lastOneCounts,
  namedAccounts,
  allStaged,
  refusedBefore,
]
