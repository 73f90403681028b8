/** Examples shown under the help of each command. */
export const EXAMPLES = {
  init: ['muster init', 'muster init --force'],
  run: [
    'muster run "fix the failing tests"',
    'muster run @GOAL.md --max-cycles 5 --time-limit 90m',
    'cat GOAL.md | muster run - --detach --json',
    'muster run @GOAL.md --budget 5.00 --mode review',
    'muster run "port it" --agent mine --check "npm test" --check "npm run lint"',
  ],
  serve: ['muster serve', 'muster serve --port 7420'],
  status: ['muster status', 'muster status job_m2x'],
  watch: ['muster watch', 'muster watch job_m2x'],
  list: [
    'muster list jobs --user ada --status running',
    'muster list tasks --job job_m2x',
    'muster list sessions --resumable',
  ],
  show: ['muster show job_m2x', 'muster show tsk_m2x --json'],
  logs: ['muster logs job_m2x -f', 'muster logs tsk_m2x -n 50'],
  events: ['muster events job_m2x -f --json', 'muster events -f'],
  edit: [
    'muster edit job_m2x --goal @GOAL.md',
    'muster edit job_m2x --tasks "first the parser, then the docs"',
    'muster edit job_m2x',
  ],
  pause: ['muster pause job_m2x'],
  resume: ['muster resume job_m2x', 'muster resume ses_m2x --message "use the other library"'],
  session: [
    'muster session start "why is the build slow?" --agent claude',
    'muster session start --interactive',
    'muster session start @TASK.md --detach --json',
  ],
  attach: ['muster attach ses_m2x', 'muster attach ses_m2x --read-only'],
  send: ['muster send ses_m2x "now the tests"', 'git diff | muster send ses_m2x -'],
  interrupt: ['muster interrupt ses_m2x'],
  ask: [
    'muster ask ses_m2x "why did you drop the cache?"',
    'muster ask planner "what is left?" --timeout 120',
  ],
  suspend: ['muster suspend ses_m2x --reason "after lunch"'],
  stop: ['muster stop ses_m2x', 'muster stop job_m2x --reason "the goal was wrong"'],
  kill: ['muster kill ses_m2x'],
  approvals: ['muster approvals', 'muster approvals --all --json'],
  approve: ['muster approve apr_m2x'],
  deny: ['muster deny apr_m2x --reason "not in this repository"'],
  report: ['muster report', 'muster report job_m2x --json'],
  diff: ['muster diff t1-2', 'muster diff apr_m2x', 'muster diff job_m2x --stat'],
  merge: ['muster merge job_m2x'],
  messages: ['muster messages', 'muster messages person --questions'],
  answer: ['muster answer msg_m2x... "use the second one"'],
  agent: ['muster agent inbox --wait 30', 'muster agent progress "tests pass"'],
  cancel: ['muster cancel job_m2x --reason "the goal was wrong"'],
  demo: ['muster demo', 'muster demo --keep', 'muster demo --json | tail -n 1'],
  doctor: ['muster doctor', 'muster doctor --json'],
  shutdown: ['muster shutdown'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type CommandName = keyof typeof EXAMPLES

export function examplesText(name: CommandName): string {
  return `\nExamples:\n${EXAMPLES[name].map((example) => `  $ ${example}`).join('\n')}`
}

export const OVERVIEW = `
Start here:
  $ muster demo                      see it work in half a minute, no keys needed
  $ muster init                      describe a repository in muster.yaml
  $ muster run "fix the tests"       start a job and follow it

Exit codes: 0 done, 1 ran and failed, 2 bad arguments or configuration, 3 conflict with something running,
4 not permitted, 5 cannot reach or start the daemon, 130 interrupted.`
