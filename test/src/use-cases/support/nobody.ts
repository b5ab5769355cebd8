import { gasKey } from './service.js'

/** Nothing is known of it. */
export const nobody = { ...gasKey, externalAccountNumber: 'NOBODY' }
