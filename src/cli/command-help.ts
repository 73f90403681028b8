import { wrapWords } from './render/text/wrap-line.ts'

/** The examples in each command's help. */
export const EXAMPLES = {
  init: ['muster init', 'muster init --force'],
  trust: ['muster trust', 'muster trust ~/src/cloned', 'muster trust --list', 'muster trust --revoke'],
  run: [
    'muster run "fix the failing tests"',
    'muster run @GOAL.md --max-cycles 5 --time-limit 90m',
    'cat GOAL.md | muster run - --detach --json',
    'muster run @GOAL.md --budget 5.00 --mode review',
    'muster run @GOAL.md --playbook reviewed',
    'muster run @GOAL.md --on-failing-base stop --detach',
    'muster run "port it" --agent mine --check "npm test" --check "npm run lint"',
  ],
  start: [
    'muster start reviewed "make the parser accept tabs"',
    'muster start best-of @GOAL.md --input n=4',
    'muster start reviewed @GOAL.md --agent developer=codex',
    'muster start development @GOAL.md --input gate=result --budget 10',
  ],
  serve: ['muster serve', 'muster serve --port 7420', 'muster serve --adopt-database'],
  status: ['muster status', 'muster status job_x3f9', 'muster status run_b7ke'],
  watch: ['muster watch', 'muster watch job_x3f9', 'muster watch run_b7ke'],
  list: [
    'muster list jobs --user ada --status running',
    'muster list tasks --job job_x3f9',
    'muster list sessions',
    'muster list sessions --all',
    'muster list sessions --resumable',
    'muster list sessions --askable',
  ],
  show: ['muster show job_x3f9', 'muster show t1-2 --json'],
  logs: [
    'muster logs job_x3f9 -f',
    'muster logs t1-2 -n 50',
    'muster logs ses_k2vq --since 10m --timestamps',
    'muster logs t1-2 -v',
    'muster logs reviewer -f',
    'muster logs run_b7ke reviewer',
  ],
  events: ['muster events job_x3f9 -f --json', 'muster events -f'],
  edit: [
    'muster edit job_x3f9 --goal @GOAL.md',
    'muster edit job_x3f9 --tasks "first the parser, then the docs"',
    'muster edit job_x3f9',
  ],
  pause: ['muster pause job_x3f9'],
  resume: [
    'muster resume job_x3f9',
    'muster resume run_b7ke',
    'muster resume ses_k2vq --message "use the other library"',
  ],
  session: [
    'muster session start "why is the build slow?" --agent claude',
    'muster session start --interactive',
    'muster session start @TASK.md --detach --json',
  ],
  attach: ['muster attach ses_k2vq', 'muster attach ses_k2vq --read-only', 'muster attach developer'],
  send: [
    'muster send t1-2 "now the tests"',
    'muster send ses_k2vq "now the tests"',
    'muster send role:reviewer "look at the dates" --run run_b7ke',
    'git diff | muster send ses_k2vq -',
  ],
  interrupt: ['muster interrupt ses_k2vq'],
  ask: [
    'muster ask ses_k2vq "why did you drop the cache?"',
    'muster ask planner "what is left?" --timeout 120',
  ],
  suspend: ['muster suspend ses_k2vq --reason "after lunch"'],
  stop: [
    'muster stop ses_k2vq',
    'muster stop run_b7ke',
    'muster stop job_x3f9 --reason "the goal was wrong"',
  ],
  kill: ['muster kill ses_k2vq', 'muster kill run_b7ke'],
  approvals: ['muster approvals', 'muster approvals --all --json', 'muster approvals --rules'],
  approve: ['muster approve', 'muster approve t1-2', 'muster approve apr_m4td --scope job'],
  deny: [
    'muster deny t1-2',
    'muster deny apr_m4td --reason "not in this repository"',
    'muster deny apr_m4td --abort',
  ],
  report: ['muster report', 'muster report job_x3f9 --json', 'muster report job_x3f9 --format markdown'],
  diff: ['muster diff t1-2', 'muster diff ses_k2vq', 'muster diff apr_m4td', 'muster diff job_x3f9 --stat'],
  merge: ['muster merge job_x3f9', 'muster merge job_x3f9 --checkout', 'muster merge job_x3f9 --squash'],
  pr: ['muster pr --dry-run', 'muster pr job_x3f9 --base develop --draft'],
  history: ['muster history', 'muster history --all -n 50'],
  findings: ['muster findings', 'muster findings t1-1'],
  export: [
    'muster export run_b7ke',
    'muster export run_b7ke --format json --output result.json',
    'muster export t1-1 --output RESULT.md',
  ],
  artifacts: ['muster artifacts'],
  decisions: ['muster decisions'],
  messages: [
    'muster messages',
    'muster messages run_b7ke',
    'muster messages person --questions',
    'muster messages --all',
  ],
  answer: [
    'muster answer "the second one"',
    'muster answer t1-2 "yes"',
    'muster answer msg_p6rc "use the second one"',
  ],
  agent: ['muster agent inbox --wait 30', 'muster agent progress "tests pass"'],
  base: ['muster base job_x3f9', 'muster base job_x3f9 continue', 'muster base job_x3f9 fix'],
  playbooks: [
    'muster playbooks list',
    'muster playbooks show reviewed',
    'muster playbooks show development --mermaid',
    'muster playbooks new mine',
    'muster playbooks validate mine',
    'muster playbooks simulate reviewed --outcomes review=NEEDS_REVISION,APPROVED',
    'muster playbooks forecast best-of --input n=5',
    'muster playbooks schema > playbook.schema.json',
  ],
  fork: [
    'muster fork run_b7ke --at review',
    'muster fork run_b7ke --at 3 --prompt revise=./stricter.md --agent reviewer=codex',
    'muster fork run_b7ke --at documentation --skip documentation',
  ],
  runs: [
    'muster runs list',
    'muster runs list job_x3f9',
    'muster runs show run_b7ke',
    'muster runs diff run_b7ke run_k2vq --patch',
  ],
  audit: ['muster audit tail -n 50', 'muster audit verify', 'muster audit accept'],
  backup: ['muster backup muster.tar', 'muster backup /mnt/usb/muster.tar --force'],
  restore: [
    'muster restore muster.tar',
    'muster --home ~/muster-restored restore muster.tar',
    'muster restore muster.tar --force',
  ],
  recover: ['muster recover', 'muster recover t1-2', 'muster recover att_h8wd --branch fix-parser'],
  delete: [
    'muster delete job_x3f9 --dry-run',
    'muster delete run_b7ke',
    'muster delete job_x3f9 --branch --yes',
  ],
  gc: ['muster gc --dry-run', 'muster gc'],
  clean: ['muster clean --dry-run', 'muster clean run_b7ke', 'muster clean --older-than 90d --yes'],
  cancel: ['muster cancel job_x3f9 --reason "the goal was wrong"'],
  demo: ['muster demo', 'muster demo --keep', 'muster demo --json | tail -n 1'],
  doctor: ['muster doctor', 'muster doctor --json'],
  shutdown: ['muster shutdown'],
  completion: ['eval "$(muster completion bash)"', 'muster completion fish | source'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type CommandName = keyof typeof EXAMPLES

export function examplesText(name: CommandName): string {
  return `\nExamples:\n${EXAMPLES[name].map((example) => `  $ ${example}`).join('\n')}`
}

/** All commands by purpose, in the order in which a person meets them. */
export const COMMAND_GROUPS = {
  Start: ['run', 'start', 'init', 'trust', 'playbooks', 'demo', 'doctor'],
  Inspect: ['status', 'watch', 'list', 'show', 'runs', 'history', 'logs', 'events', 'report', 'diff'],
  Results: ['export', 'findings', 'artifacts', 'decisions'],
  Steer: ['pause', 'resume', 'fork', 'edit', 'cancel', 'merge', 'pr'],
  Decide: ['base', 'approvals', 'approve', 'deny', 'messages', 'answer'],
  Sessions: ['session', 'attach', 'send', 'ask', 'interrupt', 'suspend', 'stop', 'kill'],
  'Clean up': ['recover', 'delete', 'clean', 'gc'],
  Daemon: ['serve', 'shutdown', 'audit', 'backup', 'restore', 'agent', 'completion'],
} as const satisfies Readonly<Record<string, readonly CommandName[]>>

const GROUP_WIDTH = Math.max(...Object.keys(COMMAND_GROUPS).map((name) => name.length)) + 2

/** Where the explanation of a command starts in the overview. */
const EXPLANATION = 32

/** What `muster` and `muster help` print. It fits on one screen; `muster help --all` describes every command. */
export function overviewText(columns = Number.POSITIVE_INFINITY): string {
  const groups = Object.entries(COMMAND_GROUPS).flatMap(([name, commands]) =>
    wrapWords(`  ${name.padEnd(GROUP_WIDTH)}${commands.join('  ')}`, columns, GROUP_WIDTH + 2),
  )
  const lines = [
    'Usage: muster [options] <command>',
    '',
    'Turns a goal into merged, tested commits by running many coding agents at once.',
    '',
    ...groups,
    '',
    'Start here:',
    '  $ muster demo                 see it work in half a minute, no keys needed',
    '  $ muster init                 write a muster.yaml for this repository',
    '  $ muster run "fix the tests"  start a job and follow it',
    '',
    '  $ muster help <command>       options and examples of a command',
    '  $ muster help --all           every command and global option, and exit codes',
  ]
  const wrapped = lines.flatMap((line) =>
    groups.includes(line) ? [line] : wrapWords(line, columns, line.startsWith('  $') ? EXPLANATION : 0),
  )
  return `${wrapped.join('\n')}\n`
}

export const EXIT_CODES = `
Exit codes: 0 done, 1 ran and failed, 2 bad arguments or configuration, 3 refused
because of the current state, 4 not permitted, 5 cannot reach or start the daemon,
130 interrupted.`
