/** The parts of the command line that the server has in common with this tool. */
export { collected, duration, given, instantArgument, oneOf, wholeNumber } from './kit/arguments.js'
export { InputFile } from './kit/files.js'
export {
  accountCommand,
  type CliContext,
  type CliIo,
  type CommandError,
  type CommandOutput,
  type CommandResult,
  exitCode,
  type ExitCode,
  leafCommand,
  type LeafCommand,
  notConfigured,
  refused,
} from './kit/command.js'
export {
  latestErrorJson,
  listed,
  printFindings,
  printPages,
  properties,
  type Shown,
  timeJson,
} from './kit/output.js'
export { limitHeapGrowth, runProcess } from './kit/process.js'
export { type Program } from './kit/program.js'
export { settingsChange, settingsJson, type SettingsOptions, withRuleOptions } from './kit/rule-options.js'
export { runCli } from './kit/run-cli.js'
export { type Columns, columns, table, tableOf } from './kit/tables.js'
export { fileText } from './account-files/input/source.js'
export { codePages, type ExampleText } from './code-pages.js'
export { commands } from './commands/list.js'
export { ruleVariables } from './offline/config.js'
export { isFileError } from './private-file.js'
export { packageVersion, shellWord, typed } from './program-name.js'
export { type Environment, variableText } from './environment.js'
export { type ConfigFault, readVariable, textCodec, textOf, type Variable } from './variable.js'
