import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'

/** A planted fault: use cases whose validation accepts an account with one error. */
export const acceptingOneError = (useCases: UseCases): UseCases => ({
  ...useCases,
  validateAccount: (submission) =>
    pipe(
      useCases.validateAccount(submission),
      TE.orElse((refusal): ReturnType<UseCases['validateAccount']> =>
        refusal._tag === 'AccountFailedValidation' && refusal.errors.length === 1
          ? TE.right({ account: {}, warnings: [], staging: 'created', sameData: undefined })
          : TE.left(refusal),
      ),
    ),
})
