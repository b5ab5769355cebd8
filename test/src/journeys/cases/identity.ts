import { compareCodePoints } from '@account-import/core/adapter-kit'
import { plusSeconds } from '@account-import/core/testing'
import { answer } from '../../support/answers.js'
import type { Journey } from '../support/journey.js'
import { inShort, successOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'

/** Pairs that careless stores and paths take for one. */
const numbers = [
  'ABC',
  'abc',
  'ABC ',
  ' ABC',
  'caf\u00e9',
  'cafe\u0301',
  'cafe',
  'a/b',
  'a%2Fb',
  'a+b',
  'a b',
  'a?b#c',
  '...',
  'ß',
  'ss',
  'ﬀ',
  '🔌',
  '\uffee',
  'x\\',
  "x'",
  'a;b=c',
] as const

const exactNumbers: Journey = {
  title: 'external account numbers are exact through bodies, paths, lists and status',
  run: async (t, open) => {
    const { client, supplier, process } = await open()
    for (const number of numbers) {
      const staged = successOf(await client.stageAccount(gasAccount(supplier, number)))
      t.deepEqual([staged.status, staged.body.external_account_number], [201, number])
    }
    const platform = new Map<string, string | null>()
    for (const number of numbers) {
      t.is(
        successOf(await client.transferStatus(supplier, number)).body.status,
        'UNKNOWN',
        JSON.stringify(number),
      )
      platform.set(number, successOf(await process(number)).body.platform_account_number)
      const { body } = successOf(await client.transferStatus(supplier, number))
      t.is<string | null | undefined, string | null | undefined>(
        body.platform_account_number,
        platform.get(number),
      )
    }
    t.is(new Set(platform.values()).size, numbers.length)
    const { body } = successOf(
      await client.listAccountImports({ importSupplier: supplier, list: 'imported' }),
    )
    t.deepEqual(
      body.map((item) => [item.external_account_number, item.platform_account_number]),
      [...numbers]
        .sort((a, b) => compareCodePoints(a, b))
        .map((number) => [number, platform.get(number) ?? null]),
    )
  },
}

const blankNumbers: Journey = {
  title: 'blank and control characters are no identifiers, and nothing like them is looked up',
  run: async (t, open) => {
    const { client, supplier } = await open()
    for (const number of ['', ' ', '\u00a0', 'a\u0000b', 'a\nb'])
      t.is(inShort(await client.stageAccount(gasAccount(supplier, number))), '400 account_failed_validation')
    for (const number of [' ', 'a\u0000b', 'a\nb', 'x'.repeat(300)])
      t.is(inShort(await client.transferStatus(supplier, number)), '404 not_found')
  },
}

const exactSuppliers: Journey = {
  title: 'suppliers whose codes differ in case or accents are different suppliers',
  run: async (t, open) => {
    const { client, supplier, operator, organisation } = await open()
    const other = supplier.toLowerCase()
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    t.is(inShort(await client.transferStatus(other, 'A-1')), '404 not_found')
    await answer(operator.createSupplier({ code: other, organisation }))
    t.is(inShort(await client.transferStatus(other, 'A-1')), '404 import_process_does_not_exist')
    t.is(inShort(await client.stageAccount(gasAccount(other, 'A-1'))), '201')
    t.is(inShort(await client.transferStatus(`${supplier} `, 'A-1')), '404 not_found')
  },
}

const bothSlashForms: Journey = {
  title: 'paths work with and without their last slash, and are decoded once',
  run: async (t, open) => {
    const { client, supplier, raw, apiKey } = await open()
    await client.stageAccount(gasAccount(supplier, 'a/b'))
    const obtained = await raw.obtain({ apiKey })
    if (typeof obtained === 'string') return t.fail(obtained)
    const path = `/v1/data-import/account-transfer-status/${supplier}`
    for (const [ending, status] of [
      ['a%2Fb/', 200],
      ['a%2Fb', 200],
      ['a%2fb/', 200],
      ['a%252Fb/', 404],
    ] as const)
      t.is((await raw.get(`${path}/${ending}`, obtained.token)).status, status, ending)
  },
}

const inProgress: Journey = {
  title:
    'under a live claim status is IN_PROGRESS, stage is refused with 400 and process with 429; later all go on',
  run: async (t, open) => {
    const { client, supplier, process, stores, clock, key } = await open()
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    const at = clock.now()
    const claim = { key: key('A-1'), token: 'a crashed process', at, expiresAt: plusSeconds(at, 60) }
    await answer(stores.accountImports.claim([{ ...claim, countsAsAttempt: true }]))
    t.deepEqual(successOf(await client.transferStatus(supplier, 'A-1')).body, {
      status: 'IN_PROGRESS',
      platform_account_number: '',
      attempts: 1,
    })
    t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-1'))), '400 account_import_in_progress')
    const refused = await process('A-1')
    t.is(inShort(refused), '429 account_import_in_progress')
    t.true(!refused.ok && (refused.retryAfterSeconds ?? 0) > 0)
    clock.advance(60)
    t.is(successOf(await client.transferStatus(supplier, 'A-1')).body.status, 'UNKNOWN')
    t.is(inShort(await process('A-1')), '201')
    t.is(successOf(await client.transferStatus(supplier, 'A-1')).body.attempts, 2)
  },
}

export const identityJourneys: readonly Journey[] = [
  exactNumbers,
  blankNumbers,
  exactSuppliers,
  bothSlashForms,
  inProgress,
]
