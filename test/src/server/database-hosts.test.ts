import { connectSql } from '@account-import/adapter-sql'
import { readConfig } from '@account-import/server'
import test from 'ava'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempFolder } from '../support/temp-folder.js'
import { selfSigned } from '../vendors/support/self-signed.js'

const read = (url: string) =>
  readConfig({ DATABASE_URL: url, TOKEN_SIGNING_KEY: Buffer.alloc(32, 7).toString('base64') }, 'serve')

test('a database may have several hosts, with and without ports, also by their addresses', (t) => {
  const url = 'mysql://u:p%40%2C@db1.example:3306,db2.example,[::1]:3307/imports?tls=on'
  const config = read(url)
  t.deepEqual(config._tag === 'Right' ? config.right.database : config.left, { kind: 'server', url })
})

test('hosts of which one is missing or none, and hosts with databases of their own, are refused', (t) => {
  for (const url of [
    'mysql://u:p@h1,/d',
    'mysql://u:p@,h2/d',
    'mysql://u:p@h1:3306,h2:x/d',
    'mysql://u:p@h1/d,h2/d',
  ]) {
    const config = read(url)
    t.deepEqual(config._tag === 'Left' ? config.left.map(({ variable }) => variable) : url, ['DATABASE_URL'])
  }
})

const fault = (url: string): string => {
  const config = read(url)
  return config._tag === 'Left'
    ? config.left.map(({ variable, detail }) => `${variable} ${detail}`).join()
    : ''
}

test('a parameter of the URL that would not be heeded is refused by name, in whatever spelling, its value not shown', (t) => {
  for (const query of [
    'ssl=canary',
    'ssl=TRUE',
    'ssl=1',
    'sslmode=require',
    'TLS=off',
    'tls-CA=a.pem',
    'useSSL=canary',
    '#canary',
  ]) {
    const answer = fault(`mysql://u:p@db.example/d?${query}`)
    t.regex(answer, /^DATABASE_URL may have only the parameters tls, tls-ca and socketPath/, query)
    const [name = ''] = query.split('=')
    t.is(answer.includes(`, not ${name} (`), !query.startsWith('#'), answer)
    t.notRegex(answer, /canary|require/)
  }
  for (const [query, expected] of [
    ['tls=true', /tls=on .* or tls=off/],
    ['tls=', /tls=on .* or tls=off/],
    ['tls=off&tls=on', /more than once/],
    ['tls=off&tls-ca=package.json', /leave no use/],
    ['tls-ca=package.json&socketPath=/run/canary.sock', /leave no use/],
    ['tls=on&socketPath=/run/canary.sock', /leaves no use/],
    ['tls-ca=/nonexistent/canary.pem', /no file of certificates/],
    ['tls-ca=package.json', /no file of certificates/],
  ] as const) {
    const answer = fault(`mysql://u:p@db.example/d?${query}`)
    t.regex(answer, expected, query)
    t.notRegex(answer, /canary/)
  }
  for (const query of ['', '?tls=off', '?tls=on', '?socketPath=/run/mysqld.sock', '?socketPath=/s&tls=off'])
    t.is(fault(`mysql://u:p@db.example/d${query}`), '')
})

test('a file of SQLite has no parameters: one is refused by name, and what may be a secret is not shown', (t) => {
  t.regex(
    fault('sqlite:/data/imports.sqlite?nosuch=canary'),
    /^DATABASE_URL may have no parameters .*, not nosuch \(/,
  )
  t.regex(fault('sqlite:/data/imports.sqlite?mode=ro&cache=canary'), /, not mode, cache \(/)
  t.regex(fault('sqlite::memory:?nosuch'), /, not nosuch \(/)
  t.regex(fault('sqlite:/data/imports.sqlite?'), /^DATABASE_URL may have no parameters/)
  t.regex(fault('mysql://u:p@db.example/d?s%20ecret!=1'), /, not one whose name is not shown \(/)
  t.throws(() => connectSql('sqlite:/data/imports.sqlite?nosuch=1'), {
    message: /no parameters .* not nosuch/,
  })
  t.is(fault('sqlite:/data/imports.sqlite'), '')
})

test('a bucket of another machine is asked without TLS only where that is said, one of this machine always may be', (t) => {
  const storage = (url: string): string => {
    const config = readConfig({ DOCUMENT_STORAGE_URL: url }, 'serve')
    if (config._tag === 'Left') return config.left.map(({ variable }) => variable).join()
    const { documentStorage } = config.right
    return documentStorage.kind === 'bucket' ? documentStorage.endpoint : documentStorage.kind
  }
  for (const query of ['', '?region=eu-west-1', '?tls=on', '?tls=off&tls=off', '?ssl=off', '?tls=off&x=1'])
    t.is(storage(`s3+http://k:s@minio.example:9000/docs${query}`), 'DOCUMENT_STORAGE_URL', query)
  t.is(storage('s3+https://k:s@minio.example/docs?tls=off'), 'DOCUMENT_STORAGE_URL')
  for (const query of ['?tls=off', '?tls=off&region=eu-west-1', '?region=eu-west-1&tls=off'])
    t.is(storage(`s3+http://k:s@minio.example:9000/docs${query}`), 'http://minio.example:9000')
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1.2.3'])
    t.is(storage(`s3+http://k:s@${host}:9000/docs`), `http://${host}:9000`)
  for (const host of ['127.0.0.1.example', 'localhost.example', '0.0.0.0', '[::2]'])
    t.is(storage(`s3+http://k:s@${host}:9000/docs`), 'DOCUMENT_STORAGE_URL', host)
})

test('e-mails leave without TLS only where that is said', (t) => {
  const tls = (url: string): string => {
    const config = readConfig({ SMTP_URL: url, MAIL_FROM: 'a@example.com' }, 'serve')
    return config._tag === 'Left' ? 'refused' : (config.right.mail?.server.tls ?? 'none')
  }
  t.is(tls('smtp://u:p@smtp.example'), 'required')
  t.is(tls('smtps://u:p@smtp.example'), 'implicit')
  t.is(tls('smtp://u:p@smtp.example?tls=off'), 'off')
  for (const query of ['tls=OFF', 'tls=false', 'secure=false', 'ignoreTLS=true'])
    t.is(tls(`smtp://u:p@smtp.example?${query}`), 'refused', query)
})

test('the file of an authority is read for e-mails at the start, and refused where it holds none, or TLS is off', async (t) => {
  const authority = join(await tempFolder(t), 'authority.pem')
  const { cert: authorities } = selfSigned()
  await writeFile(authority, authorities)
  const mail = (url: string) => {
    const config = readConfig({ SMTP_URL: url, MAIL_FROM: 'a@example.com' }, 'serve')
    return config._tag === 'Left' ? config.left.map(({ detail }) => detail).join() : config.right.mail?.server
  }
  t.like(mail(`smtps://h?tls-ca=${authority}`), { tls: 'implicit', authorities })
  t.like(mail(`smtp://h?tls-ca=${authority}`), { tls: 'required', authorities })
  for (const file of ['/nonexistent/canary.pem', 'package.json'])
    t.regex(
      String(mail(`smtps://h?tls-ca=${file}`)),
      /^has a tls-ca that is no file of certificates(?!.*canary)/,
    )
  for (const query of [`tls=off&tls-ca=${authority}`, `tls-ca=${authority}&tls-ca=${authority}`])
    t.regex(String(mail(`smtp://h?${query}`)), /^must be smtp/, query)
})
