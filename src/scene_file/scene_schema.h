#pragma once

#include <string>

#include "slipstick/document/document_reader.h"

namespace slipstick::internal {

// The JSON schema of scene files (scene.schema.json), as editors can use it.
const char* SceneSchemaText();

// Checks a document against the schema: keys, kinds of values, lengths of lists, words. Adds a fault for each thing
// wrong, in the words of the schema's descriptions and with the likely spelling of a misspelt key.
void CheckSchema(const DocumentNode& document, DocumentReader* reader);

// The verdict of a general JSON schema validator (valijson) on the same schema: empty where the document fits, else
// what it objects to. CheckSchema explains better but knows only the words the schema uses now; this one knows them
// all.
std::string JudgeBySchema(const DocumentNode& document);

}  // namespace slipstick::internal
