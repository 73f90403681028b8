import { type Command, CommanderError } from 'commander'
import { failure } from '../domain/result.ts'
import { homeDirectory } from '../home/home-directory.ts'
import { createCommandTree } from './command-tree.ts'
import { complete } from './completion/complete.ts'
import type { Handler, Perform } from './declare.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import type { GlobalOptions } from './global-options.ts'
import { type HelpWords, helpWords } from './help-words.ts'
import { createHint } from './hint.ts'
import { homeProblem } from './home-problem.ts'
import { manPage } from './manual/man-page.ts'
import { createOutput } from './output.ts'
import type { Problem } from './problem.ts'
import { createPaint, wantsColour } from './render/text/paint.ts'
import { problemLines, problemValue } from './render/text/problem-lines.ts'
import { safeJson, safeLine } from './render/text/safe-text.ts'
import { wrapLine } from './render/text/wrap-line.ts'
import { createShortIds, type ShortIds } from './short-ids.ts'
import { suggestCommand } from './suggest-command.ts'
import type { Surroundings } from './surroundings.ts'
import { giveUsableWidth } from './usable-width.ts'

/** What shells call when the person presses Tab. */
const COMPLETE = '__complete'

/** Runs one command and returns its exit code. Every error is printed; nothing is thrown. */
export async function runCli(surroundings: Surroundings, words: readonly string[]): Promise<ExitCode> {
  for (const stream of [surroundings.stdout, surroundings.stderr]) giveUsableWidth(stream)
  let options = roughOptions(words)
  let exitCode: ExitCode = EXIT.done
  const perform: Perform = async (given, handler) => {
    options = given
    exitCode = await performCommand(surroundings, given, handler, words)
  }
  const help = helpWords(words)
  const tree = createCommandTree(surroundings, perform, help?.isFull)
  if (words[0] === COMPLETE) {
    await complete(surroundings, tree, words.slice(1))
    return EXIT.done
  }
  if (help?.isManual === true) {
    surroundings.stdout.write(manPage(tree, surroundings.version))
    return EXIT.done
  }
  try {
    await tree.parseAsync(help === undefined ? words : helpRequest(tree, help), { from: 'user' })
    return exitCode
  } catch (error) {
    if (isHelpForNothing(error)) groupOf(tree, words).outputHelp()
    if (isHelpForNothing(error) || isShown(error)) return EXIT.done
    return say(surroundings, options, problemOf(error, words, tree))
  }
}

/** `help a b` means `a b --help`; the parser's own `help` knows only one level. An unknown command is refused. */
function helpRequest(tree: Command, { flags, named }: HelpWords): readonly string[] {
  return [...named, ...flags, ...(isKnown(tree, named) ? ['--help'] : [])]
}

/** Whether every word that should name a command does. */
function isKnown(parent: Command, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || name.startsWith('-') || parent.commands.length === 0) return true
  const named = parent.commands.find((command) => command.name() === name)
  return named !== undefined && isKnown(named, rest)
}

async function performCommand(
  surroundings: Surroundings,
  options: GlobalOptions,
  handler: Handler,
  words: readonly string[],
): Promise<ExitCode> {
  const output = createOutput(surroundings, options)
  const home = homeDirectory(surroundings, options.home)
  const outcome = await handler({ surroundings, output, options, home }).catch((error: unknown) => {
    const problem = homeProblem(error, home)
    if (problem === undefined) throw error
    return failure(problem)
  })
  return outcome.ok
    ? outcome.value
    : say(surroundings, options, withoutEcho(outcome.failure, words), output.ids)
}

/** Doesn't suggest the command that has just failed. */
function withoutEcho(problem: Problem, words: readonly string[]): Problem {
  if (problem.next !== `muster ${words.join(' ')}`) return problem
  const { next: _same, ...rest } = problem
  return rest
}

function say(
  surroundings: Surroundings,
  options: GlobalOptions,
  problem: Problem,
  ids: Pick<ShortIds, 'inText'> = createShortIds(),
): ExitCode {
  const paint = createPaint(wantsColour(surroundings, surroundings.stderr, options.color))
  const lines = problemLines(problem, paint, createHint(options))
  for (const line of lines.flatMap((whole) => wrapLine(ids.inText(whole), surroundings.stderr.columns)))
    surroundings.stderr.write(`${line}\n`)
  if (options.json) surroundings.stdout.write(`${safeJson(problemValue(problem))}\n`)
  return problem.exitCode
}

/** The command group that was named, such as `session`, or else the root. */
function groupOf(tree: Command, words: readonly string[]): Command {
  const groups = tree.commands.filter(({ commands }) => commands.length > 0)
  return groups.find((group) => words.includes(group.name())) ?? tree
}

/** No command was given, or a group without one of its commands. */
function isHelpForNothing(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help' && error.exitCode !== 0
}

/** Commander has printed the help or the version. */
function isShown(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}

function problemOf(error: unknown, words: readonly string[], tree: Command): Problem {
  if (error instanceof CommanderError) return badArguments(error, words, tree)
  const code = (error as NodeJS.ErrnoException).code
  const message = error instanceof Error ? error.message : String(error)
  if (code === 'EACCES' || code === 'EPERM') {
    return { type: 'not-permitted', exitCode: EXIT.notPermitted, message, next: 'muster doctor' }
  }
  return {
    type: 'unexpected',
    exitCode: EXIT.failed,
    message: `unexpected error: ${message}`,
    ...(wantsStack(words) && error instanceof Error && error.stack !== undefined ? { why: error.stack } : {}),
    next: 'muster doctor',
  }
}

/** Stack traces are for those who ask for them, and for the daemon's log. */
function wantsStack(words: readonly string[]): boolean {
  return words.some((word) => word === '-v' || word === '--verbose' || word === '--background')
}

function badArguments(error: CommanderError, words: readonly string[], tree: Command): Problem {
  const command = words.find((word) => /^[a-z]+$/.test(word))
  if (error.code === 'commander.unknownCommand')
    return unknownCommand(/'(.*)'/s.exec(error.message)?.[1] ?? '', words, groupOf(tree, words))
  if (error.code === 'commander.excessArguments' && command === 'run') return unquotedGoal()
  if (error.code === 'commander.excessArguments' && command !== undefined) {
    const unknown = unknownInGroup(words, groupOf(tree, words))
    if (unknown !== undefined) return unknown
  }
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: error.message
      .replace(/^error: /, '')
      .replace(/\n\(Did you mean (.*)\?\)$/, '; did you mean $1?'),
    next: command === undefined ? 'muster --help' : `muster ${command} --help`,
  }
}

/** A group that is also a command, such as `runs`, takes no arguments of its own. */
function unknownInGroup(words: readonly string[], group: Command): Problem | undefined {
  if (group.parent === null) return undefined
  const typed = words[words.indexOf(group.name()) + 1]
  return typed === undefined || isKnown(group, [typed]) ? undefined : unknownCommand(typed, words, group)
}

/** Suggests the command that was probably meant, with the rest of what was typed. */
function unknownCommand(typed: string, words: readonly string[], group: Command): Problem {
  const known = group.commands.map((command) => command.name())
  const help = group.parent === null ? 'muster help' : `muster ${group.name()} --help`
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: `there is no command "${group.parent === null ? '' : `${group.name()} `}${safeLine(typed, 40)}"`,
    next: suggestCommand(words, typed, known) ?? help,
  }
}

function unquotedGoal(): Problem {
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: 'the goal must be a single argument',
    why: 'a goal of several words needs quotes around it',
    next: 'muster run "what you want done"',
  }
}

/** The flags that decide how to print an error in the flags themselves. */
function roughOptions(words: readonly string[]): GlobalOptions {
  return {
    json: words.includes('--json'),
    quiet: false,
    verbose: false,
    color: !words.includes('--no-color'),
  }
}
