import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempFolder } from '../support/temp-folder.js'
import { converting, duckDbTest as test } from './support.js'

const noFile = /reads (?:files|the file .*) by itself/
const noStatement = /A mapping is one query/
const noFunction = /may not use the function/

/** `$` stands for the folder of the mapping, `!` for another one. */
const attempts: readonly (readonly [what: string, sql: string, words: RegExp])[] = [
  ['reads a file of another folder', "SELECT content AS a FROM read_text('!/secret.txt')", noFile],
  ['reads a file by a bare name', "SELECT * FROM '!/secret.csv'", noFile],
  ['reads by a path with two dots', "SELECT content AS a FROM read_text('$/../secret.txt')", noFile],
  ['reads by a link', "SELECT content AS a FROM read_text('$/link.txt')", noFile],
  ['lists files of another folder', "SELECT file AS a FROM glob('!/*')", noFile],
  ['reads from the network', "SELECT * FROM read_csv('https://example.com/a.csv')", noFile],
  ['reads from a bucket', "SELECT * FROM read_parquet('s3://bucket/a.parquet')", noFile],
  ['installs an extension', 'INSTALL httpfs; SELECT 1 AS a', noStatement],
  ['loads an extension', "LOAD '$/x.duckdb_extension'; SELECT 1 AS a", noStatement],
  ['reads a spreadsheet', "SELECT * FROM read_xlsx('$/a.xlsx')", /save the sheet as CSV UTF-8/],
  ['reads a declared file by its own call', "SELECT * FROM read_csv('$/a.csv')", noFile],
  ['reads in a macro', "CREATE MACRO m(f) AS TABLE SELECT * FROM read_csv(f); FROM m('$/a.csv')", noFile],
  [
    'reads behind a comment',
    "CREATE TABLE t /* AS SELECT 1 -- */ AS SELECT * FROM read_text('$/a.csv'); FROM t",
    noFile,
  ],
  ['reads into a view', "CREATE VIEW v AS FROM read_blob('$/a.csv'); FROM v", noFile],
  ['calls a function behind an unusual blank', 'SELECT 1 AS a FROM duckdb_settings\u200b()', noFunction],
  ['calls a function behind a comment', 'SELECT 1 AS a FROM duckdb_settings -- x\r()', noFunction],
  ['calls a function in a subquery', 'SELECT (SELECT count(*) FROM duckdb_settings()) AS a', noFunction],
  ['writes a file', "COPY (SELECT 1) TO '$/out.csv'; SELECT 1 AS a", noStatement],
  ['ends with a statement that writes a file', "COPY (SELECT 1) TO '$/out.csv'", noStatement],
  [
    'writes behind many comments',
    `${'/* x */ -- y\n'.repeat(40)}COPY (SELECT 1) TO '$/out.csv'; SELECT 1 AS a`,
    noStatement,
  ],
  ['writes a database', "EXPORT DATABASE '$/out'; SELECT 1 AS a", noStatement],
  ['attaches a database', "ATTACH '$/out.db'; SELECT 1 AS a", noStatement],
  ['opens access', 'SET enable_external_access = true; SELECT 1 AS a', noStatement],
  ['takes more memory', "SET memory_limit = '64GB'; SELECT 1 AS a", noStatement],
  ['calls a function', 'CALL enable_profiling(); SELECT 1 AS a', noStatement],
  ['writes by a pragma', "PRAGMA profiling_output = '$/out.json'; SELECT 1 AS a", noStatement],
  ['writes logs', "SELECT 1 AS a FROM enable_logging('QueryLog', storage_path = '$/out')", noFunction],
  ['writes logs by a name in quotes', `SELECT 1 AS a FROM "Enable_Logging" /* x */ ('QueryLog')`, noFunction],
  [
    'writes logs by a macro',
    "CREATE MACRO m() AS TABLE SELECT 1 AS a FROM enable_logging\n-- x\n('QueryLog'); FROM m()",
    noFunction,
  ],
  ['runs a text as a query', "SELECT * FROM query('SELECT 1 AS a')", noFunction],
  ['runs JSON as a query', "SELECT * FROM json_execute_serialized_sql('{}')", noFunction],
  ['reads memory', 'SELECT * FROM arrow_scan(1::UBIGINT, 1::UBIGINT, 1::UBIGINT)', noFunction],
  ['keeps a secret', 'CREATE PERSISTENT SECRET s (TYPE s3); SELECT 1 AS a', noStatement],
]

for (const [what, sql, words] of attempts)
  test(`a mapping that ${what} is refused`, async (t) => {
    const { convert, folder, path, put, names } = await converting(t)
    const elsewhere = await tempFolder(t)
    await writeFile(join(elsewhere, 'secret.txt'), 'secret')
    await writeFile(join(elsewhere, 'secret.csv'), 'a\nsecret\n')
    await put('a.csv', 'a\n1\n')
    await symlink(join(elsewhere, 'secret.txt'), path('link.txt'))
    const { code, stderr } = await convert(sql.replaceAll('$', folder).replaceAll('!', elsewhere), [
      '--out',
      path('o'),
    ])
    t.is(code, 2, stderr)
    t.regex(stderr, words)
    t.deepEqual(await names(), ['a.csv', 'link.txt', 'mapping.sql'])
    t.deepEqual((await readdir(elsewhere)).toSorted(), ['secret.csv', 'secret.txt'])
  })

test('a source is read from the named folder only', async (t) => {
  const { accounts, convert } = await converting(t)
  const other = join(await tempFolder(t), "it's")
  await mkdir(join(other, 'below'), { recursive: true })
  await writeFile(join(other, 'below', 'a.csv'), 'a\nx\n')
  const mapping = (file: string): string =>
    `-- source a = '${file}'; delimiter ';'; key none\nSELECT a AS billing_name FROM a`
  t.deepEqual(await accounts(mapping('below/a.csv'), ['--folder', other]), [{ billing_name: 'x' }])
  const outside = await convert(mapping('../../../../../etc/passwd'))
  t.is(outside.code, 2)
  t.regex(outside.stderr, /outside of the folder of the mapping/)
  const link = await convert(mapping('link.csv'))
  t.is(link.code, 3, 'there is no such file')
})

test('a link to a file outside the folders is not read as a source', async (t) => {
  const { convert, path } = await converting(t)
  const elsewhere = join(await tempFolder(t), 'secret.csv')
  await writeFile(elsewhere, 'a\nsecret\n')
  await symlink(elsewhere, path('a.csv'))
  const { code, stderr } = await convert('SELECT a AS billing_name FROM a')
  t.is(code, 2)
  t.regex(stderr, /outside of the folder of the mapping/)
})

test('a variable may have the name of a keyword', async (t) => {
  const { accounts, put } = await converting(t)
  await put('a.csv', 'a\n1\n')
  const found = await accounts("SELECT getvariable('select') AS billing_name FROM a", [
    '--set',
    "select=it's",
  ])
  t.deepEqual(found, [{ billing_name: "it's" }])
})

test('the settings of DuckDB allow no other access, and they are locked', async (t) => {
  const { accounts, put } = await converting(t)
  await put('a.csv', 'a\n1\n')
  const names =
    'autoinstall_known_extensions autoload_known_extensions allow_community_extensions allow_unsigned_extensions allow_persistent_secrets enable_external_access lock_configuration'.split(
      ' ',
    )
  const columns = names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')
  t.deepEqual(await accounts(`SELECT ${columns}`), [
    { ...Object.fromEntries(names.map((name) => [name, false])), lock_configuration: true },
  ])
})
