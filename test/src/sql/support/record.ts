import { createSqlPorts } from '@account-import/adapter-sql'
import {
  makeUseCases,
  type ChainBreak,
  type KnownHead,
  type Ports,
  type UseCases,
} from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { answer } from '../../support/answers.js'
import type { Opened } from './databases.js'

const firstKey = 'k'.repeat(32)

/** The record of a database, as whoever has these keys sees it; one key where none is given. */
export const auditOf = ({ knex }: Opened, ...auditKeys: readonly string[]) => {
  const ports: Ports = {
    ...inMemoryPorts(),
    ...createSqlPorts(knex, { auditKeys: auditKeys.length > 0 ? auditKeys : [firstKey] }),
  }
  return { ports, audit: makeUseCases(ports).audit }
}

type Audit = UseCases['audit']

export const sealAll = async (audit: Audit): Promise<void> => {
  for (;;) {
    const sealing = await answer(audit.seal(100))
    if (sealing._tag === 'sealed' && !sealing.more) return
  }
}

export const breaksOf = async (
  audit: Audit,
  heads: readonly KnownHead[] = [],
): Promise<readonly ChainBreak[]> => {
  const breaks: ChainBreak[] = []
  for await (const page of await answer(audit.verify({ heads }))) {
    if (E.isLeft(page)) throw new Error('the chain cannot be read', { cause: page.left })
    breaks.push(...page.right.breaks)
  }
  return breaks
}
