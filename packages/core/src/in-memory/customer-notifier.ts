import { T } from '../fp.js'
import type { CustomerNotifier, Delivery, MigrationNotice } from '../ports/customer-notifier.js'

const accepted: Delivery = { _tag: 'accepted', deferred: [], refused: [] }

/** Puts every notice into the list, and answers as it is told to; without being told, that all is well. */
export const inMemoryCustomerNotifier = (
  notices: MigrationNotice[],
  answer: (notice: MigrationNotice) => Delivery = () => accepted,
): CustomerNotifier => ({
  canSend: true,
  notify: (notice, signal) =>
    T.fromIO((): Delivery => {
      if (signal.aborted) return { _tag: 'unavailable', code: 'stopped' }
      notices.push(notice)
      return answer(notice)
    }),
})
