import type { Argument, Command, Option } from 'commander'
import { COMMAND_GROUPS, type CommandName, EXAMPLES } from '../command-help.ts'

/** What commands read from the environment, besides the daemon's settings. */
const ENVIRONMENT = {
  MUSTER_HOME: "Directory for all of Muster's data, unless --home is given.",
  MUSTER_PAGER: 'Pager for long output (default: PAGER, or else less). Use "cat" for no pager.',
  MUSTER_DATABASE_URL: 'A PostgreSQL database to use instead of the built-in one.',
  MUSTER_TRUST: 'With "all", every muster.yaml is trusted without asking; for automation.',
  MUSTER_BELL: 'With "0", the bell stays silent when something waits for you.',
  NO_COLOR: 'If set, nothing is coloured.',
} as const

const EXIT_STATUS = {
  0: 'Done.',
  1: 'Ran and failed.',
  2: 'Bad arguments or configuration.',
  3: 'Refused because of the current state.',
  4: 'Not permitted.',
  5: 'The daemon cannot be reached or started.',
  130: 'Interrupted.',
} as const

/** The manual page of all commands in the language of man(7), from the declarations of the commands. */
export function manPage(tree: Command, version: string): string {
  const commands = new Map(tree.commands.map((command) => [command.name(), command]))
  const lines = [
    `.TH MUSTER 1 "" "muster ${text(version)}" "User Commands"`,
    '.SH NAME',
    `muster \\- ${text(lowerFirst(tree.description()).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B muster',
    '.RI [ options ] " command " [ arguments ]',
    '.SH DESCRIPTION',
    text(tree.description()),
    '.PP',
    text(
      'Commands that take the ID of a job, a task, a session or an approval also take its short form, such as',
    ),
    '.BR job_x3f9 ,',
    text('the name of a task of the newest job, such as'),
    '.BR t1\\-2 ,',
    text(
      'and part of the title of a job or a task. Without one, most commands use the newest job of the repository.',
    ),
    '.SH OPTIONS',
    ...tree.options.flatMap(optionLines),
    ...Object.entries(COMMAND_GROUPS).flatMap(([group, names]) => [
      `.SH ${text(group.toUpperCase())} COMMANDS`,
      ...names.flatMap((name) => namedLines(commands.get(name))),
    ]),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT_STATUS).flatMap(([code, meaning]) => ['.TP', `.B ${code}`, text(meaning)]),
    '.SH ENVIRONMENT',
    ...Object.entries(ENVIRONMENT).flatMap(([name, meaning]) => ['.TP', `.B ${text(name)}`, text(meaning)]),
    '.SH SEE ALSO',
    '.BR git (1)',
  ]
  return `${lines.join('\n')}\n`
}

/** A command, or the commands of a group. */
function namedLines(command: Command | undefined): readonly string[] {
  if (command === undefined) return []
  if (command.commands.length === 0) return commandLines(command, command.name())
  return command.commands.flatMap((child) => commandLines(child, `${command.name()} ${child.name()}`))
}

function commandLines(command: Command, name: string): readonly string[] {
  const usage = command.registeredArguments.map(argumentWords).join(' ')
  const examples: readonly string[] = Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name as CommandName] : []
  return [
    `.SS muster ${text(name)} ${text(usage)}`.trimEnd(),
    sentence(command.description()),
    ...command.registeredArguments.flatMap(argumentLines),
    ...command.options.flatMap(optionLines),
    ...(examples.length === 0 ? [] : ['.PP', 'Examples:', '.PP', '.nf', '.RS']),
    ...examples.map((example) => text(example)),
    ...(examples.length === 0 ? [] : ['.RE', '.fi']),
  ]
}

function argumentWords(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}

function argumentLines(argument: Argument): readonly string[] {
  const choices = argument.argChoices === undefined ? '' : ` (${argument.argChoices.join(', ')})`
  return ['.TP', `.I ${text(argument.name())}`, sentence(`${argument.description}${choices}`)]
}

function optionLines({ flags, description, argChoices, hidden }: Option): readonly string[] {
  if (hidden) return []
  const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`
  return ['.TP', `.B ${text(flags)}`, sentence(`${description}${choices}`)]
}

function sentence(words: string): string {
  const first = words.charAt(0).toUpperCase() + words.slice(1)
  return text(/[.!?]$/.test(first) ? first : `${first}.`)
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}

/** Text that man(7) prints as it is. A line that starts with a dot or a quote would be a request. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replace(/^(?=[.'])/, '\\&')
}
