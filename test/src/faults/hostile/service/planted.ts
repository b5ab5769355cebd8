import type { UseCases } from '@account-import/core'
import { E } from '@account-import/core/fp'

/** A planted fault: use cases whose validation accepts an account with one error. */
export const acceptingOneError = (useCases: UseCases): UseCases => ({
  ...useCases,
  validateAccount: async (submission) => {
    const answer = await useCases.validateAccount(submission)
    return E.isLeft(answer) &&
      answer.left._tag === 'AccountFailedValidation' &&
      answer.left.errors.length === 1
      ? E.right({ account: {}, warnings: [], staging: 'created', sameData: undefined })
      : answer
  },
})
