/** Bounds on playbooks and their runs. */
export const RUN_LIMITS = {
  /** More branches than this are rarely worth their cost, and few machines can run them at once. */
  branches: 8,
  /** A playbook with more stages can't be understood, and checking it would take long. */
  stages: 100,
  /** Runs within runs. Nobody could follow more levels, and each of them can multiply the cost. */
  depth: 4,
  /** The playbooks that one run can reach, including its own. All of them are read and pinned before it starts. */
  family: 20,
  /** A prompt and a schema for each of many stages, and the playbook itself. */
  files: 200,
  /**
   * The most that a stage can ask for one visit, in every playbook: a repository's playbook needs no trust. An agent
   * that has worked for so long without a result is stuck.
   */
  visitMinutes: 240,
  /** The most that a playbook can ask for a run. More than a day is several jobs; the job's time limit applies too. */
  runMinutes: 1_440,
  /** The most that a gate can wait. Nobody remembers after a month what the question was about. */
  gateHours: 720,
  /** A prompt must fit into the context of every model. */
  promptBytes: 256 * 1024,
  /** Far more than the longest playbook that a person would maintain. */
  playbookBytes: 256 * 1024,
  /** Above this bound, `validate` warns that a run could become expensive. */
  usualVisits: 100,
  /** A schema of answers that people wrote has fewer parts; more would make answers slow to check. */
  schemaParts: 500,
  schemaDepth: 16,
  /** Some milliseconds. An answer that people could read needs far fewer. */
  checkSteps: 200_000,
  /** An agent needs only a few of the allowed values to see what is meant. */
  shownValues: 20,
  /** The newest runs that a forecast is made from: enough for rates, and what was long ago says little about today. */
  forecastRuns: 200,
  /** A person reads what a gate shows; the rest is in the answer itself. */
  shownCharacters: 20_000,
} as const

/** What applies if a playbook leaves the field out. */
export const PLAYBOOK_DEFAULTS = {
  /** One visit gets as long as an attempt at a task. */
  visitMinutes: 30,
  /** A gate that is reached on a Friday still waits on Monday. */
  gateHours: 72,
  limits: {
    /** Enough for a handful of visits in a row, and little enough that a stuck run is noticed the same day. */
    minutes: 120,
    /** A run shares the places of its job with other tasks, so it takes few of them. */
    parallel: 2,
  },
} as const
