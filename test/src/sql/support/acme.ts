import { builtInSettings, type ApiKeyRecord, type StorePorts } from '@account-import/core'
import { answer } from '../../support/answers.js'
import { now } from './imports.js'

/** The organisation of `keyOf`, with suppliers of these codes. */
export const createAcme = async (
  { organisations, importSuppliers }: StorePorts,
  ...suppliers: readonly string[]
): Promise<void> => {
  const [organisation, status, settings] = ['ACME', 'ongoing', builtInSettings] as const
  await answer(
    organisations.create({ code: organisation, name: 'Acme', createdAt: now(), disabledAt: undefined }),
  )
  for (const code of suppliers) await answer(importSuppliers.create({ code, organisation, status, settings }))
}

/** A key of that organisation, or of another one, which may do nothing. */
export const apiKeyOf = (id: string, organisation = 'ACME'): ApiKeyRecord => ({
  id,
  organisation,
  name: undefined,
  secretHash: 'f'.repeat(64),
  scopes: [],
  createdAt: now(),
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
})
