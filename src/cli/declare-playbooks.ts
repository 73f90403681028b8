import type { Command } from 'commander'
import type { ForecastFlags } from './commands/forecast.ts'
import type { ShowPlaybookFlags } from './commands/playbooks.ts'
import type { SimulateFlags } from './commands/simulate.ts'
import type { Declare, Start } from './declare.ts'
import { inputFlag } from './parse/flag-parsers.ts'

function declareForecast(playbooks: Command, start: Start): void {
  playbooks
    .command('forecast')
    .description('show what a run is likely to cost and take, from what earlier runs did')
    .argument('<playbook>', 'its name')
    .option('--input <name=value>', 'set an input of the playbook (repeatable)', inputFlag)
    .action((playbook: string, flags: ForecastFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/forecast.ts')).forecastCommand(needs, playbook, flags),
      ),
    )
}

/** The commands about playbooks. */
export function declarePlaybooks(declare: Declare, start: Start): void {
  const playbooks = declare('playbooks', 'list, show, validate, simulate, forecast and write playbooks')
  playbooks
    .command('list')
    .description("list this repository's playbooks, your own and those shipped with Muster")
    .action((_flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/playbooks.ts')).listPlaybooksCommand(needs)),
    )
  playbooks
    .command('show')
    .description('draw the stages of a playbook, with its inputs, roles and limits')
    .argument('<playbook>', 'its name, or a path to its folder')
    .option('--mermaid', 'print a Mermaid flowchart instead')
    .action((playbook: string, flags: ShowPlaybookFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/playbooks.ts')).showPlaybookCommand(needs, playbook, flags),
      ),
    )
  playbooks
    .command('validate')
    .description(
      'report everything that is wrong with a playbook, or else how many stages a run can enter at most',
    )
    .argument('[playbook]', 'its name, or a path to its folder (default: all that are not shipped)')
    .action((playbook: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/playbooks.ts')).validatePlaybookCommand(needs, playbook),
      ),
    )
  playbooks
    .command('simulate')
    .description('play a playbook with agents that only act as if, in a temporary home, and print its route')
    .argument('<playbook>', 'its name, or a path to its folder')
    .option(
      '--outcomes <stage=outcomes>',
      'outcomes of a stage, one for each time it is entered, separated by commas; the last one repeats (repeatable)',
      inputFlag,
    )
    .option('--answer <stage.field=value>', 'a field of what a stage answers (repeatable)', inputFlag)
    .option('--input <name=value>', 'set an input of the playbook (repeatable)', inputFlag)
    .action((playbook: string, flags: SimulateFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/simulate.ts')).simulateCommand(needs, playbook, flags),
      ),
    )
  declareForecast(playbooks, start)
  playbooks
    .command('new')
    .description('write a commented playbook into .muster/playbooks of this repository')
    .argument('<name>', 'its name')
    .action((name: string, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/new-playbook.ts')).newPlaybookCommand(needs, name),
      ),
    )
  playbooks
    .command('schema')
    .description('print the JSON Schema of playbook.yaml, for editors')
    .action((_flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/playbooks.ts')).playbookSchemaCommand(needs)),
    )
}
