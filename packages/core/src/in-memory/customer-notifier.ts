import { T } from '../fp.js'
import type { CustomerNotifier, Delivery, MigrationNotice } from '../ports/customer-notifier.js'

const accepted: Delivery = { _tag: 'accepted' }

/** Puts every notice into the list, and answers with the given outcome, or that it accepted the notice. */
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
