import { after, test } from 'node:test'
import { platformAccountNumberCases } from '@account-import/core/contract-tests'
import { platformNumbers } from './platform-numbers.js'
import { platformSequence } from './platform-sequence.js'

const sequence = await platformSequence('sqlite::memory:')
after(() => sequence.close())
const numbers = platformNumbers(sequence)
for (const { title, run } of platformAccountNumberCases) void test(title, () => run(numbers))
