import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import test from 'ava'
import { joseAccessTokens, parseSigningKey } from '@account-import/adapter-access-tokens'
import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import {
  makeUseCases,
  plainUseCases,
  webCryptoSecrets,
  type AccessTokens,
  type PlainUseCases,
} from '@account-import/core'
import { inMemoryAccessTokens, inMemoryPorts } from '@account-import/core/in-memory'
import { valueOf } from '../use-cases/support/plain-world.js'
import { tempFolder } from '../support/temp-folder.js'

/** Everything that a program makes at its start and loses at its end, around a database that stays. */
const program = async <A>(
  file: string,
  accessTokens: AccessTokens,
  run: (service: PlainUseCases) => Promise<A>,
): Promise<A> => {
  const database = connectSql(`sqlite:${file}`)
  await migrate(database)
  try {
    const ports = inMemoryPorts({ ...createSqlPorts(database), accessTokens })
    return await run(plainUseCases(makeUseCases(ports)))
  } finally {
    await database.destroy()
  }
}

const tokenOf = async ({ operator, obtainToken }: PlainUseCases): Promise<string> => {
  valueOf(await operator.createOrganisation({ code: 'ACME' }))
  const { apiKey } = valueOf(await operator.createApiKey({ organisation: 'ACME' }))
  return valueOf(await obtainToken({ credentials: { apiKey }, address: 'here' })).token
}

const signed = (key: string): AccessTokens => {
  const parsed = parseSigningKey(key)
  if (parsed === undefined) throw new Error('32 random bytes are a signing key')
  return joseAccessTokens(parsed)
}

test('a token that was signed before a restart is good after it, by the same key only', async (t) => {
  const file = join(await tempFolder(t), 'imports.db')
  const key = randomBytes(32).toString('base64')
  const token = await program(file, signed(key), tokenOf)
  const again = await program(file, signed(key), ({ authenticate }) => authenticate(token))
  t.like(again, { ok: true, value: { organisation: 'ACME' } })
  const other = signed(randomBytes(32).toString('base64'))
  t.deepEqual(await program(file, other, ({ authenticate }) => authenticate(token)), {
    ok: false,
    refusal: { _tag: 'AuthenticationFailed' },
  })
})

test('a token that is kept in memory is lost at a restart', async (t) => {
  const file = join(await tempFolder(t), 'imports.db')
  const token = await program(file, inMemoryAccessTokens(webCryptoSecrets), tokenOf)
  const accessTokens = inMemoryAccessTokens(webCryptoSecrets)
  const again = await program(file, accessTokens, ({ authenticate }) => authenticate(token))
  t.deepEqual(again, { ok: false, refusal: { _tag: 'AuthenticationFailed' } })
})
