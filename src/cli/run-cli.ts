import { type Command, CommanderError } from 'commander'
import { failure } from '../domain/result.ts'
import { createCommandTree } from './command-tree.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import type { GlobalOptions } from './global-options.ts'
import { createHint } from './hint.ts'
import { homeDirectory } from './home-directory.ts'
import { homeProblem } from './home-problem.ts'
import { createOutput } from './output.ts'
import type { Handler, Perform } from './perform.ts'
import type { Problem } from './problem.ts'
import { createPaint, wantsColour } from './render/text/paint.ts'
import { problemLines, problemValue } from './render/text/problem-lines.ts'
import { safeJson } from './render/text/safe-text.ts'
import type { Surroundings } from './surroundings.ts'

/** One command from its words to its exit code. Whatever goes wrong is said; nothing escapes. */
export async function runCli(surroundings: Surroundings, words: readonly string[]): Promise<ExitCode> {
  let options = roughOptions(words)
  let exitCode: ExitCode = EXIT.done
  const perform: Perform = async (given, handler) => {
    options = given
    exitCode = await performCommand(surroundings, given, handler, words)
  }
  const tree = createCommandTree(surroundings, perform)
  try {
    await tree.parseAsync([...words], { from: 'user' })
    return exitCode
  } catch (error) {
    if (isHelpForNothing(error)) groupOf(tree, words).outputHelp()
    if (isHelpForNothing(error) || isShown(error)) return EXIT.done
    return say(surroundings, options, problemOf(error, words))
  }
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
  return outcome.ok ? outcome.value : say(surroundings, options, withoutEcho(outcome.failure, words))
}

/** The command that was just given is no way out of what came of it. */
function withoutEcho(problem: Problem, words: readonly string[]): Problem {
  if (problem.next !== `muster ${words.join(' ')}`) return problem
  const { next: _same, ...rest } = problem
  return rest
}

function say(surroundings: Surroundings, options: GlobalOptions, problem: Problem): ExitCode {
  const paint = createPaint(wantsColour(surroundings, surroundings.stderr, options.color))
  for (const line of problemLines(problem, paint, createHint(options))) surroundings.stderr.write(`${line}\n`)
  if (options.json) surroundings.stdout.write(`${safeJson(problemValue(problem))}\n`)
  return problem.exitCode
}

/** The command that only holds others, when one was named. */
function groupOf(tree: Command, words: readonly string[]): Command {
  const groups = tree.commands.filter(({ commands }) => commands.length > 0)
  return groups.find((group) => words.includes(group.name())) ?? tree
}

/** No command was given, or none of a group. */
function isHelpForNothing(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help'
}

/** Help or the version was asked for and has been printed. */
function isShown(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}

function problemOf(error: unknown, words: readonly string[]): Problem {
  if (error instanceof CommanderError) return badArguments(error, words)
  const code = (error as NodeJS.ErrnoException).code
  const message = error instanceof Error ? error.message : String(error)
  if (code === 'EACCES' || code === 'EPERM') {
    return { type: 'not-permitted', exitCode: EXIT.notPermitted, message, next: 'muster doctor' }
  }
  return {
    type: 'unexpected',
    exitCode: EXIT.failed,
    message: `something unexpected went wrong: ${message}`,
    ...(wantsStack(words) && error instanceof Error && error.stack !== undefined ? { why: error.stack } : {}),
    next: 'muster doctor',
  }
}

/** Where a stack is read by someone who can use it: asked for, or in the daemon's log. */
function wantsStack(words: readonly string[]): boolean {
  return words.some((word) => word === '-v' || word === '--verbose' || word === '--background')
}

function badArguments(error: CommanderError, words: readonly string[]): Problem {
  const command = words.find((word) => /^[a-z]+$/.test(word))
  const isUnknown = error.code === 'commander.unknownCommand' || command === undefined
  if (error.code === 'commander.excessArguments' && command === 'run') return unquotedGoal()
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: error.message.replace(/^error: /, ''),
    next: isUnknown ? 'muster --help' : `muster ${command} --help`,
  }
}

function unquotedGoal(): Problem {
  return {
    type: 'bad-arguments',
    exitCode: EXIT.usage,
    message: 'the goal is one argument, and there are several',
    why: 'a goal of several words needs quotes around it',
    next: 'muster run "what you want done"',
  }
}

/** The flags that matter for showing a mistake in the flags themselves. */
function roughOptions(words: readonly string[]): GlobalOptions {
  return {
    json: words.includes('--json'),
    quiet: false,
    verbose: false,
    color: !words.includes('--no-color'),
  }
}
