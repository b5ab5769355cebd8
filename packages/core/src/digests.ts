// Exports for programs that compare their own accounts with those of the service: the texts that digests are made of, and figures.
export { comparedText, figuresOf, figureSums, valuesByPath } from './domain/account-digest.js'
export { fieldText } from './reporting/digests.js'
