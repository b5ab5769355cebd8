import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { root } from '../support/repository.js'
import { converting, duckDbTest as test } from './support.js'

type Reading = Readonly<{ interval_start?: string; interval_end?: string; consumption_delta: string }>
type Account = Readonly<{
  supply_addresses: readonly [{ supply_points: readonly [{ readings?: readonly Reading[] }] }]
}>

/** A template in a folder, with other samples; and the command on it. */
const written = async (t: ExecutionContext, name: string, samples: Readonly<Record<string, string>> = {}) => {
  const { folder, text, path } = await converting(t)
  const place = join(folder, name)
  const { code, stderr } = await cliInProcess(['convert', '--init', place], {})
  t.is(code, 0, stderr)
  for (const [file, content] of Object.entries(samples)) await writeFile(join(place, file), content)
  const command = [
    'convert',
    join(place, 'mapping.sql'),
    '--set',
    'supplier=LEVANTE',
    '--json',
    '--out',
    path('o'),
  ]
  const outcome = await cliInProcess([...command, '--today', '2026-11-28'], {})
  const accounts = async () =>
    (await text('o'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Account)
  const readings = async () =>
    (await accounts()).flatMap(
      ({
        supply_addresses: [
          {
            supply_points: [point],
          },
        ],
      }) => point.readings ?? [],
    )
  return { outcome, accounts, readings, place }
}

const templates = [
  'datadis e-distribucion f5d i-de norma43 p1d salesforce sips-electricity sips-gas som'.split(' '),
].flat()

for (const name of templates)
  test(`the mapping ${name} makes valid accounts of its sample, with every row`, async (t) => {
    const { outcome, place } = await written(t, name)
    t.is(outcome.code, 0, outcome.stderr + outcome.stdout)
    t.like(JSON.parse(outcome.stdout), { accounts: 2, valid: 2, valid_with_warnings: 0, failed: 0 })
    t.false((await readdir(place)).includes('shared'))
  })

test('there is a mapping for each folder of templates', async (t) => {
  const folders = await readdir(join(root, 'packages/cli/src/convert/templates'))
  t.deepEqual(folders.toSorted(), [...templates, 'shared'].toSorted())
})

const cups = 'ES0031721654343767NB1P'
const hours = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** Rows of Datadis for a day with these labels of hours; each has its place as kilowatt hours. */
const datadis = (day: string, labels: readonly number[]): string =>
  [
    'cups;fecha;hora;consumo_kWh;metodoObtencion;energiaVertida_kWh',
    ...labels.map((label, at) => `${cups};${day};${String(label).padStart(2, '0')}:00;0,${100 + at};Real;`),
  ].join('\n')

const [short, long, common] = ['2026/03/29', '2026/10/25', '2026/11/03']
const [shortStart, longStart, commonStart] = ['2026-03-28T23', '2026-10-24T22', '2026-11-02T23'].map((hour) =>
  Date.parse(`${hour}:00:00Z`),
) as [number, number, number]

const days: readonly (readonly [what: string, day: string, labels: readonly number[], start: number])[] = [
  ['1 to 25', long, hours(1, 25), longStart],
  ['0 to 24', long, hours(0, 24), longStart],
  ['2 twice', long, [0, 1, 2, ...hours(2, 23)], longStart],
  ['1 to 23', short, hours(1, 23), shortStart],
  ['0 to 23 without 2', short, [0, 1, ...hours(3, 23)], shortStart],
  ['1 to 24 without 3', short, [1, 2, ...hours(4, 24)], shortStart],
  ['1 to 24', common, hours(1, 24), commonStart],
  ['0 to 23', common, hours(0, 23), commonStart],
]

for (const [what, day, labels, start] of days)
  test(`the hours of ${day} with labels ${what} follow each other in UTC`, async (t) => {
    const { outcome, readings } = await written(t, 'datadis', { 'consumption.csv': datadis(day, labels) })
    t.is(outcome.code, 0, outcome.stdout)
    const instant = (at: number) => new Date(start + at * 3_600_000).toISOString().replace('.000', '')
    t.deepEqual(
      (await readings()).map(({ interval_start, interval_end, consumption_delta }) => [
        interval_start,
        interval_end,
        consumption_delta,
      ]),
      labels.map((_, at) => [instant(at), instant(at + 1), `0.${100 + at}`]),
    )
  })

test('a day with hours left out keeps the others, and one whose hours are not known has an error', async (t) => {
  const gap = await written(t, 'datadis', {
    'consumption.csv': datadis(common, [...hours(1, 11), ...hours(13, 24)]),
  })
  t.is(gap.outcome.code, 0, gap.outcome.stdout)
  t.is((await gap.readings())[11]?.interval_start, '2026-11-03T11:00:00Z')
  const unknown = await written(t, 'datadis', { 'consumption.csv': datadis(long, hours(1, 24)) })
  t.is(unknown.outcome.code, 1)
  t.regex(unknown.outcome.stdout, /"required"/)
})

const f5d = (rows: readonly string[]): string =>
  rows.map((row) => `${cups};${row};100;;;;;;1;0;F;\r\n`).join('')

test('hours with a mark of summer time are right on both days, at 24:00 and at 00:00', async (t) => {
  const starts = async (rows: readonly string[]) => {
    const { outcome, readings } = await written(t, 'f5d', { 'f5d.txt': f5d(rows) })
    t.is(outcome.code, 0, outcome.stdout)
    return (await readings()).map(({ interval_start: start }) => start?.slice(5, 13))
  }
  t.deepEqual(
    await starts(['2026/10/25 02:00;1', '2026/10/25 03:00;1', '2026/10/25 03:00;0', '2026/10/25 24:00;0']),
    ['10-24T23', '10-25T00', '10-25T01', '10-25T22'],
  )
  t.deepEqual(await starts(['2026/03/29 02:00;0', '2026/03/29 04:00;1', '2026/03/30 00:00;1']), [
    '03-29T00',
    '03-29T01',
    '03-29T21',
  ])
})

test('a semicolon in a comment inside of a statement cuts nothing off', async (t) => {
  const { accounts, put } = await converting(t)
  await put('a.csv', 'n;f\n1;x\n2;y\n')
  const sql = `CREATE TABLE b AS SELECT n, f -- one; two
    FROM a WHERE n = '2'; /* three; */
    SELECT n AS external_account_number, n AS _n -- four; five
    FROM b; -- six; seven`
  t.deepEqual(await accounts(sql), [{ external_account_number: '2' }])
})
