import type { AuditEntry, AuditTrail } from '@account-import/core'
import { sealedText } from '@account-import/core/adapter-kit'
import { sqlPortCall } from '../failures/sql-port-call.js'
import type { Session } from '../session/session.js'
import { sealedPage, unsealedPage } from './audit-pages.js'
import { chainHeads } from './chain-heads.js'
import { recordUse } from './record-use.js'
import { seal } from './seal.js'
import { sealsWith } from './seals.js'
import { insertOthers } from './unsealed-others.js'

const call = sqlPortCall('auditTrail')

const record = (session: Session, entries: readonly AuditEntry[]): Promise<void> =>
  session.query((db) => insertOthers(db, session.dialect, entries))

/** How entries are recorded, inside a unit of work too. */
export const sqlAuditRecord = (session: Session): Pick<AuditTrail, 'record'> => ({
  record: (entries) => call('record', () => record(session, entries)),
})

/** The record. With keys its hashes are HMACs, made with the first of them: who does not have the key cannot make them. */
export const sqlAuditTrail = (session: Session, keys: readonly string[]): AuditTrail => {
  const seals = sealsWith(keys)
  const { dialect, query } = session
  return {
    ...sqlAuditRecord(session),
    seal: (limit) => call('seal', () => seal(session, seals.sealOf, limit)),
    sealed: (filter, after, limit) =>
      call('sealed', () => query((db) => sealedPage(db, dialect, filter, after, limit))),
    unsealed: (filter, limit) =>
      call('unsealed', () => query((db) => unsealedPage(db, dialect, filter, limit))),
    heads: () => call('heads', () => query(chainHeads)),
    recordUse: (use) => call('recordUse', () => recordUse(session, use)),
    checkSeal: (previous, { sequence, entry, hash }) =>
      call('checkSeal', async () => seals.check(sealedText(previous, sequence, entry), hash)),
  }
}
