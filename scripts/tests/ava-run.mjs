// One run of AVA, shown as it goes, and what its lines say.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { prefixOf } from './files.mjs'

const ava = 'node_modules/ava/entrypoints/cli.mjs'

/** Its closing lines on what did not pass, such as "3 tests failed". */
const notPassed =
  /^ *(\d+) (?:tests? failed|hooks? failed|tests? skipped|tests? todo|known failures?|uncaught exceptions?|unhandled rejections?|tests? remained pending.*)$/

/** Its lines on what went wrong in a file, though in none of its tests. */
const wrongInFile =
  /^ *(?:✘|Uncaught exception in|Unhandled rejection in|\d+ tests were pending in|Failed to exit when running)(?! \[).*? (test\/\S+\.test\.ts)/

/** Where several files run, titles begin with theirs. */
const fileOf = (title, files) =>
  files.length === 1 ? files[0] : files.find((file) => title.startsWith(`${prefixOf(file)} › `))

/**
 * Runs AVA with these arguments, over these files: its exit code, the file of each test that passed, the files in which something
 * failed (undefined for one that no line names), and how much did not pass.
 */
export const runAva = (args, files, environment) =>
  new Promise((resolve, reject) => {
    const outcome = { passed: [], failedFiles: new Set(), notPassed: 0 }
    const look = (line) => {
      const [, mark, title] = /^ *(✔|✘ \[[^\]]+\]:?) (.*)$/.exec(line) ?? []
      if (mark === '✔') outcome.passed.push(fileOf(title, files))
      else if (mark !== undefined) outcome.failedFiles.add(fileOf(title, files))
      const [, file] = wrongInFile.exec(line) ?? []
      if (file !== undefined) outcome.failedFiles.add(file)
      outcome.notPassed += Number(notPassed.exec(line)?.[1] ?? 0)
    }
    const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
    const child = spawn(process.execPath, [ava, ...args], {
      stdio: ['inherit', 'pipe', 'inherit'],
      env: { ...process.env, ...colours, ...environment },
    })
    child.on('error', reject)
    createInterface({ input: child.stdout }).on('line', (line) => {
      console.log(line)
      look(stripVTControlCharacters(line))
    })
    child.on('close', (code) => resolve({ ...outcome, code: code ?? 1 }))
  })
