// The frameworks that the bench measures, in a file that needs nothing installed.

/** Where the ways of a framework are, in `src/`. */
export const SOURCES = {
  'ai-6': ['ai'],
  'ai-7': ['ai'],
  mastra: ['mastra'],
  openai: ['openai'],
  langchain: ['langchain'],
  strands: ['strands'],
  adk: ['adk'],
  'pi-0.73': ['pi', 'pi-0.73'],
  'pi-0.87': ['pi', 'pi-0.87'],
};
