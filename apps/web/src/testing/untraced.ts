// For the profilers of browsers React tells of each component that it renders, unless it finds these when it is loaded.
Object.assign(console, { createTask: undefined, timeStamp: undefined });
