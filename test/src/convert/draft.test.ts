import { rm } from 'node:fs/promises'
import { cliInProcess } from '../support/cli-in-process.js'
import { converting, duckDbTest as test } from './support.js'

type Draft = Readonly<{
  proposals: readonly Readonly<{
    delimiter: string
    encoding: string
    key: string | null
    header: boolean
    matched: Readonly<Record<string, string>>
    unmatched: readonly string[]
  }>[]
}>

test('a draft from the files of the example converts all of its accounts, with every row and sum', async (t) => {
  const { folder, path, text } = await converting(t)
  await cliInProcess(['convert', '--init', `${folder}/x`], {})
  await rm(path('x/mapping.sql'))
  const files = ['contracts', 'customers', 'payments'].map((name) => path(`x/${name}.csv`))
  const drafted = await cliInProcess(['convert', '--init', '--from', ...files], {})
  t.is(drafted.code, 0, drafted.stderr)
  t.regex(drafted.stderr, /customers\.csv: proposed delimiter ";", encoding windows-1252, key cliente/)
  const command = [
    'convert',
    path('x/mapping.sql'),
    '--set',
    'supplier=LEVANTE',
    '--json',
    '--out',
    path('o'),
  ]
  const { code, stdout, stderr } = await cliInProcess(command, {})
  t.is(code, 1, stderr)
  const { accounts, failed, sources } = JSON.parse(stdout) as {
    accounts: number
    failed: number
    sources: readonly { rows: number; key_found: number; sums: readonly { difference: string }[] }[]
  }
  t.deepEqual([accounts, failed], [7, 3])
  t.true(sources.every(({ rows, key_found: found }) => rows === found))
  t.deepEqual(
    sources.flatMap(({ sums }) => sums.map(({ difference }) => difference)),
    ['0.00', '0.00'],
  )
  t.regex(
    await text('o'),
    /"family_name":"Peña Molina".*"postal_code":"08207".*"contractual_max_power":\[4600,/,
  )
  const again = await cliInProcess(['convert', '--init', '--from', ...files], {})
  t.is(again.code, 3)
})

const languages: readonly (readonly [language: string, header: string])[] = [
  ['Spanish', 'Nº Cliente;Apellidos;Correo electrónico;Dirección;C.P.;Fecha alta;CUPS;Población'],
  ['Catalan', 'Núm. client;Cognoms;Correu electrònic;Adreça;Codi postal;Data d’alta;Codi CUPS;Població'],
  ['Basque', 'Bezero zenbakia;Abizenak;Posta elektronikoa;Helbidea;Posta kodea;Alta data;CUPS kodea;Herria'],
  ['Galician', 'Número da conta;Apelidos;Correo-e;Enderezo;Código postal;Data de alta;CUPS;Concello'],
  ['English', 'Account number;Last name;E-mail;Address;Postcode;Start date;Supply point;Town'],
]

for (const [language, header] of languages)
  test(`columns in ${language} are matched to their fields, and others are listed`, async (t) => {
    const { path, put } = await converting(t)
    await put('order.csv', `${header};Zona X\n7;Gil;a@example.org;Mayor;08001;2023-01-01;ES0;Olot;q\n`)
    const { code, stdout, stderr } = await cliInProcess(
      ['convert', '--json', '--init', path('new'), '--from', path('order.csv')],
      {},
    )
    t.is(code, 0, stderr)
    const [proposal] = (JSON.parse(stdout) as Draft).proposals
    t.deepEqual(Object.values(proposal?.matched ?? {}), [
      'external_account_number',
      'family_name',
      'email',
      'street_name',
      'postal_code',
      'supply_start_date',
      'identifier',
      'locality',
    ])
    t.deepEqual(proposal?.unmatched, ['Zona X'])
    t.is(proposal?.key, header.split(';')[0])
    const converted = await cliInProcess(
      ['convert', path('new/mapping.sql'), '--set', 'supplier=L', '--folder', path('.'), '--out', path('o')],
      {},
    )
    t.is(converted.code, 0, converted.stderr)
  })

test('a draft reads files as they are, and shows no cell of a row', async (t) => {
  const { path, put, text } = await converting(t)
  await put('a.txt', 'ES0031\t0031\tMaría Gil\t\n"ES0032"\t0032\tEva Mas\t\n')
  const { code, stdout, stderr } = await cliInProcess(
    ['convert', '--json', '--init', '--from', path('a.txt')],
    {},
  )
  t.is(code, 0, stderr)
  t.like((JSON.parse(stdout) as Draft).proposals[0], { delimiter: '\t', encoding: 'utf-8', header: false })
  const mapping = await text('mapping.sql')
  t.regex(
    mapping,
    /-- source a = 'a\.txt'; delimiter tab; columns column_1, column_2, column_3; last empty; key column_1\n/,
  )
  t.notRegex(mapping + stdout, /Gil|ES0031/)
  await put('b.txt', 'one;two\n1\n')
  const none = await cliInProcess(['convert', '--init', path('b'), '--from', path('b.txt')], {})
  t.is(none.code, 2)
  t.regex(none.stderr, /b\.txt is no table/)
  t.is((await cliInProcess(['convert', 'x.sql', '--from', path('a.txt')], {})).code, 2)
})

test('a row that the end of the sample cuts does not change what is proposed for a large file', async (t) => {
  const { path, put } = await converting(t)
  const rows = Array.from({ length: 60_000 }, (_, at) => `${at};"Gil;\nMas ${at}"\n`)
  await put('a.csv', `cliente;titular\n${rows.join('')}`)
  const { code, stdout, stderr } = await cliInProcess(
    ['convert', '--json', '--init', '--from', path('a.csv')],
    {},
  )
  t.is(code, 0, stderr)
  const [proposal] = (JSON.parse(stdout) as Draft).proposals
  t.deepEqual([proposal?.delimiter, proposal?.key, proposal?.unmatched], [';', 'cliente', []])
})
