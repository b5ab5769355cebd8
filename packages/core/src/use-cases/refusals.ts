import type { ImportRefusal } from '../domain/account-import.js'
import type {
  AccountAlreadyImported,
  AccountImportInProgress,
  AccountMarkedToSkip,
  AccountProcessedElsewhere,
} from './errors.js'

/** Seconds after which it is worth asking again: most accounts are created in less. */
export const retryAfterSeconds = 1

const settled = (
  refusal: Exclude<ImportRefusal, { _tag: 'in_progress' }>,
  externalAccountNumber: string,
): AccountAlreadyImported | AccountMarkedToSkip =>
  refusal._tag === 'already_imported'
    ? {
        _tag: 'AccountAlreadyImported',
        externalAccountNumber,
        platformAccountNumber: refusal.platformAccountNumber,
      }
    : { _tag: 'AccountMarkedToSkip' }

/** The refusal as staging answers it. */
export const stagingRefusal = (
  refusal: ImportRefusal,
  externalAccountNumber: string,
): AccountAlreadyImported | AccountImportInProgress | AccountMarkedToSkip =>
  refusal._tag === 'in_progress'
    ? { _tag: 'AccountImportInProgress' }
    : settled(refusal, externalAccountNumber)

/** The refusal as processing answers it: a live claim is worth trying again. */
export const processingRefusal = (
  refusal: ImportRefusal,
  externalAccountNumber: string,
): AccountAlreadyImported | AccountProcessedElsewhere | AccountMarkedToSkip =>
  refusal._tag === 'in_progress'
    ? { _tag: 'AccountProcessedElsewhere', retryAfterSeconds }
    : settled(refusal, externalAccountNumber)
