import type { AuditEntry, AuditTrail } from '@account-import/core'
import { sealedText } from '@account-import/core/adapter-kit'
import { createHmac } from 'node:crypto'
import { sqlPortCall } from '../failures/sql-port-call.js'
import { sha256 } from '../rows/unsealed-line.js'
import type { Session } from '../session/session.js'
import { sealedPage, unsealedPage } from './audit-pages.js'
import { chainHeads } from './chain-heads.js'
import { seal, type HashOf } from './seal.js'
import { recordUse } from './record-use.js'
import { insertOthers } from './unsealed-others.js'

const call = sqlPortCall('auditTrail')

const record = (session: Session, entries: readonly AuditEntry[]): Promise<void> =>
  session.directly((db) => insertOthers(db, session.dialect, entries))

/** How entries are recorded, inside a unit of work too. */
export const sqlAuditRecord = (session: Session): Pick<AuditTrail, 'record'> => ({
  record: (entries) => call('record', () => record(session, entries)),
})

const hashOfKey = (key: string | undefined): HashOf =>
  key === undefined ? sha256 : (text) => createHmac('sha256', key).update(text).digest('hex')

/** The record. With a key its hashes are HMACs: who does not have the key cannot make them. */
export const sqlAuditTrail = (session: Session, key: string | undefined): AuditTrail => {
  const hashOf = hashOfKey(key)
  const { dialect, directly } = session
  return {
    ...sqlAuditRecord(session),
    seal: (limit) => call('seal', () => seal(session, hashOf, limit)),
    sealed: (filter, after, limit) =>
      call('sealed', () => directly((db) => sealedPage(db, dialect, filter, after, limit))),
    unsealed: (filter, limit) =>
      call('unsealed', () => directly((db) => unsealedPage(db, dialect, filter, limit))),
    heads: () => call('heads', () => directly(chainHeads)),
    recordUse: (use) => call('recordUse', () => recordUse(session, use)),
    hashOf: (...sealed) => call('hashOf', async () => hashOf(sealedText(...sealed))),
  }
}
