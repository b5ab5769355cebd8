import type { KeyedWork } from '@account-import/core'
import { sqlPortCall } from '../failures/sql-port-call.js'
import type { KeptAnswerRow } from '../rows/kept-answers.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'
import { ofRequest } from './claim-answer.js'

const call = sqlPortCall('keyedWork')

const ofClaim = `WHERE ${ofRequest} AND claim_token = ? AND status IS NULL`

/** Claims of requests in the transaction of what they ask for: the row is locked until that is committed. */
export const sqlKeyedWork = ({ dialect, transaction }: Session): KeyedWork => ({
  begin: ({ key, token }) =>
    call('begin', () =>
      transaction(async (db) => {
        const claim = [key.organisation, key.request, token]
        const select = `SELECT is_done FROM ${tables.keptAnswers} ${ofClaim} ${dialect.forUpdate}`
        const [row] = await selectRows<Pick<KeptAnswerRow, 'is_done'>>(db, select, claim)
        if (row === undefined) return 'claim_lost'
        if (Number(row.is_done) === 1) return 'done'
        await updateRows(db, `UPDATE ${tables.keptAnswers} SET is_done = ? ${ofClaim}`, [1, ...claim])
        return 'first'
      }),
    ),
})
